/// The order of the pages in an archive or a folder of images, by their names.
///
/// Pages of a folder come before those of its subfolders, and a cover before the other pages of its
/// folder; otherwise names are in their ``NaturalOrder``.
package struct PageOrder: Sendable {
  /// Names of covers without their endings, in small letters.
  private static let covers: Set<String> = [
    "cover", "front", "frontcover", "front cover", "front_cover", "front-cover", "folder",
  ]

  private let folders: [NaturalOrder]
  private let isCover: Bool
  private let file: NaturalOrder

  /// Creates a sort key from a path in any encoding, with slashes or backslashes.
  package init(bytes path: [UInt8]) {
    let parts = path.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    folders = parts.dropLast().map { NaturalOrder(bytes: Array($0)) }
    let name = Array(parts.last ?? [])
    file = NaturalOrder(bytes: name)
    isCover = Self.isCover(String(decoding: name, as: UTF8.self))
  }

  /// Returns whether the name of a file is that of a cover.
  package static func isCover(_ name: String) -> Bool {
    covers.contains(FileKinds.stem(of: name).lowercased())
  }

  /// Creates a sort key from a path.
  package init(_ path: String) { self.init(bytes: Array(path.utf8)) }
}

extension PageOrder: Comparable {
  /// Returns whether a page comes before another: a strict total order on distinct paths.
  package static func < (a: PageOrder, b: PageOrder) -> Bool {
    for (one, other) in zip(a.folders, b.folders) where one != other { return one < other }
    if a.folders.count != b.folders.count { return a.folders.count < b.folders.count }
    if a.isCover != b.isCover { return a.isCover }
    return a.file < b.file
  }
}

internal import Foundation
internal import Geometry
internal import Scene

/// Walks over a folder once and finds the collections and books in it.
struct Shelving {
  let root: String
  private(set) var notes: [String] = []

  init(root: String) {
    // The title of a folder given as `.` is the name of the folder it stands for.
    self.root = URL(fileURLWithPath: root, isDirectory: true).standardizedFileURL.path
  }

  /// All collections with at least one book; books directly below the root stand in the first.
  mutating func collections() throws(LibraryError) -> [ShelvedCollection] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: root, isDirectory: &isFolder), isFolder.boolValue
    else { throw .notAFolder(path: root) }
    let top = try list(root)
    var direct: [ShelvedBook] = []
    var found: [ShelvedCollection] = []
    for name in top.folders {
      let path = root + "/" + name
      guard let inner = listed(path) else { continue }
      let sub = books(in: path, inner)
      if !sub.isEmpty {
        let loose = book(at: path, images: inner.images).map { [$0] } ?? []
        found.append(ShelvedCollection(title: Self.title(of: name), books: loose + sub))
      } else if let book = book(at: path, images: inner.images) {
        direct.append(book)
      } else if inner.images.isEmpty {
        notes.append("\(shown(path)): the folder holds no images and was skipped; add some.")
      }
    }
    if let loose = book(at: root, images: top.images) { direct.insert(loose, at: 0) }
    if !direct.isEmpty {
      let title = Self.title(of: URL(fileURLWithPath: root).lastPathComponent)
      found.insert(ShelvedCollection(title: title, books: direct), at: 0)
    }
    return found
  }

  private mutating func books(in path: String, _ contents: FolderContents) -> [ShelvedBook] {
    var found: [ShelvedBook] = []
    for name in contents.folders {
      let folder = path + "/" + name
      guard let inner = listed(folder) else { continue }
      if let book = book(at: folder, images: inner.images) {
        found.append(book)
      } else if inner.images.isEmpty {
        notes.append(
          inner.folders.isEmpty
            ? "\(shown(folder)): the folder holds no images and was skipped; add some."
            : "\(shown(folder)): folders this deep are not read; move its books one level up."
        )
      }
    }
    return found
  }

  private mutating func book(at path: String, images: [String]) -> ShelvedBook? {
    guard !images.isEmpty else { return nil }
    let description = description(of: path)
    var pages: [PageFile?] = []
    var size: Size?
    for name in images {
      let file = path + "/" + name
      do {
        let header = try PageReader.header(of: file)
        size = size ?? header.size
        pages.append(
          PageFile(path: file, format: header.format, tag: PageReader.tag(of: file))
        )
      } catch {
        notes.append("\(shown(file)): \(error). Its page stays blank.")
        pages.append(nil)
      }
    }
    guard let size else {
      notes.append("\(shown(path)): none of its images can be shown and the book was skipped.")
      return nil
    }
    let name = URL(fileURLWithPath: path).lastPathComponent
    let title = description.title.flatMap { $0.isEmpty ? nil : $0 } ?? Self.title(of: name)
    let cover = pages.first ?? nil
    let colours =
      cover.flatMap { $0.format == .svg ? PageReader.contents(of: $0.path) : nil }
      .flatMap { SpineColours(svg: $0) } ?? SpineColours(hashing: title)
    return ShelvedBook(
      title: title,
      author: description.author ?? "",
      progression: description.progression == "rtl" ? .rightToLeft : .leftToRight,
      pageSize: size,
      pages: pages,
      spine: Spine(title: title, pageCount: pages.count, pageSize: size, colours: colours)
    )
  }

  private mutating func description(of path: String) -> BookDescription {
    let file = path + "/book.json"
    guard FileManager.default.fileExists(atPath: file) else { return BookDescription() }
    do {
      let data = try Data(contentsOf: URL(fileURLWithPath: file))
      let description = try JSONDecoder().decode(BookDescription.self, from: data)
      if let value = description.progression, value != "ltr", value != "rtl" {
        notes.append(
          "\(shown(file)): the progression is \"\(value)\" and was taken for \"ltr\"; "
            + "write \"ltr\" or \"rtl\"."
        )
      }
      return description
    } catch {
      notes.append(
        "\(shown(file)): this is not a description of a book and was not used; "
          + "write {\"title\": \"…\", \"author\": \"…\", \"progression\": \"ltr\"}."
      )
      return BookDescription()
    }
  }

  /// A path below the root, as it is named in notes.
  private func shown(_ path: String) -> String {
    path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : path
  }

  private mutating func listed(_ path: String) -> FolderContents? {
    do throws(LibraryError) {
      return try list(path)
    } catch {
      notes.append("\(shown(path)): \(error)")
      return nil
    }
  }

  private mutating func list(_ path: String) throws(LibraryError) -> FolderContents {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw .unreadable(path: path, reason: error.localizedDescription)
    }
    var contents = FolderContents()
    for name in names.sorted(by: NaturalOrder.precedes) where !name.hasPrefix(".") {
      var isFolder: ObjCBool = false
      let file = path + "/" + name
      guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) else { continue }
      let suffix = URL(fileURLWithPath: name).pathExtension.lowercased()
      if isFolder.boolValue {
        contents.folders.append(name)
      } else if ["svg", "png", "jpg", "jpeg", "webp"].contains(suffix) {
        contents.images.append(name)
      } else if ["gif", "tif", "tiff", "bmp", "avif", "heic", "pdf", "cbz"].contains(suffix) {
        notes.append(
          "\(shown(file)): \(suffix) files are not shown; export it as PNG, JPEG, WebP or SVG."
        )
      }
    }
    return contents
  }

  /// The title a folder's name gives: `02-reading-room` is “Reading room”.
  static func title(of name: String) -> String {
    let words = name.map { $0 == "_" || $0 == "-" ? " " : $0 }
    let number = words.prefix { $0.isNumber || $0 == " " || $0 == "." }
    let rest = number.last == " " ? words.dropFirst(number.count) : words[...]
    let text = String(rest).split(separator: " ").joined(separator: " ")
    guard let first = text.first else { return name }
    return first.uppercased() + text.dropFirst()
  }
}

/// What a folder holds, in natural order, hidden files left out.
private struct FolderContents {
  var folders: [String] = []
  var images: [String] = []
}

/// The optional `book.json`.
private struct BookDescription: Decodable {
  var title: String?
  var author: String?
  var progression: String?
}

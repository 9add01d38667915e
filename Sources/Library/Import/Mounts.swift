internal import Foundation

/// The file systems on which a folder and what is below it are, as the kernel lists them.
///
/// A watch learns neither of a file system that is mounted over a folder nor of what other machines
/// change in one.
struct Mounts: Equatable {
  /// The lines about those file systems.
  private let lines: [String]
  /// Whether other machines can change one of them.
  let isRemote: Bool

  /// The types of file systems of other machines; those in user space have names after `fuse.`.
  private static let remote: Set<String> = [
    "9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "glusterfs", "lustre", "ncpfs", "nfs",
    "nfs4", "smb3", "smbfs", "virtiofs",
  ]

  /// Reads the present list; without one, there is no file system.
  init(of folder: String) {
    let path = realpath(folder, nil)
    defer { free(path) }
    let list = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
    self.init(list ?? "", of: path.map { String(cString: $0) } ?? folder)
  }

  /// Reads a list in the form of `/proc/self/mountinfo`; see `proc(5)`.
  init(_ list: String, of folder: String) {
    let inside = folder.hasSuffix("/") ? folder : folder + "/"
    // The last of those that contain the folder is the one that it is on.
    var own: (point: String, line: String, type: String)?
    var lines: [String] = []
    var types: [String] = []
    for line in list.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 5, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else {
        continue
      }
      let (point, type) = (Self.unescaped(fields[4]), String(fields[dash + 1]))
      if point != folder, point.hasPrefix(inside) {
        lines.append(String(line))
        types.append(type)
      } else if point == folder || inside.hasPrefix(point.hasSuffix("/") ? point : point + "/"),
        point.utf8.count >= own?.point.utf8.count ?? 0
      {
        own = (point, String(line), type)
      }
    }
    if let own {
      lines.append(own.line)
      types.append(own.type)
    }
    self.lines = lines.sorted()
    isRemote = types.contains { Self.remote.contains($0) || $0.hasPrefix("fuse.") }
  }

  /// Returns a path whose spaces, tabs, line breaks and backslashes are octal numbers.
  private static func unescaped(_ path: Substring) -> String {
    var text = String(path)
    for (code, character) in [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")] {
      text = text.replacing(code, with: character)
    }
    return text
  }
}

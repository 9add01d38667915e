internal import Foundation

/// The file systems on which a folder and what is below it are, as the kernel lists them.
///
/// A watch learns neither of a file system that is mounted over a folder nor of what other machines
/// change in one.
struct Mounts: Equatable {
  /// The lines about those file systems.
  private let lines: [String]
  /// Whether other machines, or programs on the other side of one, can change one of them.
  let isRemote: Bool
  /// The type of the one that the folder itself is on, such as `ext4`; nil if it is unknown.
  let type: String?

  /// The types of file systems of other machines and of the hosts of virtual ones; most of those in
  /// user space have names after `fuse.`.
  private static let remote: Set<String> = [
    "9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "fuse", "gfs2", "glusterfs", "lustre",
    "ncpfs", "nfs", "nfs4", "ocfs2", "prl_fs", "smb3", "smbfs", "vboxsf", "virtiofs",
  ]

  /// The types on which SQLite cannot keep a database with a write-ahead log: they lack its locks
  /// or its shared memory; see <https://www.sqlite.org/wal.html>, "Overview".
  private static let unfit: Set<String> = [
    "afs", "cifs", "coda", "davfs", "fuse.davfs", "fuse.gcsfuse", "fuse.rclone", "fuse.s3fs",
    "fuse.sshfs", "ncpfs", "nfs", "nfs4", "smb3", "smbfs",
  ]

  /// Whether a database can be stored in the folder.
  var isFitForDatabase: Bool { type.map { !Self.unfit.contains($0) } ?? true }

  /// Whether a folder is really in another one, and no link leads out of it.
  static func contains(_ folder: String, in outer: String) -> Bool {
    guard let inner = real(folder), let around = real(outer) else { return false }
    return (inner + "/").hasPrefix(around == "/" ? around : around + "/")
  }

  /// Reads the present list; without one, there is no file system.
  init(of folder: String) {
    let list = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
    self.init(list ?? "", of: Self.real(folder) ?? folder)
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
    type = own?.type
    isRemote = types.contains { Self.remote.contains($0) || $0.hasPrefix("fuse.") }
  }

  /// Returns a path without links; nil if there is nothing there.
  private static func real(_ path: String) -> String? {
    let real = realpath(path, nil)
    defer { free(real) }
    return real.map { String(cString: $0) }
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

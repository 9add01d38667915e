internal import Glibc

/// The owner of a data folder.
enum DataOwner {
  /// Continues as the owner of a data folder if the process runs as root and somebody else owns it.
  ///
  /// What root writes there, the service of that user could not read.
  /// - Parameter path: The path of the folder, which may not exist.
  /// - Throws: ``CommandError/failed(_:)`` if the system does not permit it.
  static func become(of path: String) throws(CommandError) {
    var facts = stat()
    guard geteuid() == 0, stat(path, &facts) == 0, facts.st_uid != 0 else { return }
    var groups = [facts.st_gid]
    guard setgroups(1, &groups) == 0, setgid(facts.st_gid) == 0, setuid(facts.st_uid) == 0 else {
      throw .failed(
        "\(path) belongs to the user \(facts.st_uid), as whom this command cannot continue "
          + "(\(String(cString: strerror(errno)))); run it as that user"
      )
    }
  }
}

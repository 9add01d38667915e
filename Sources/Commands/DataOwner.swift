internal import Glibc

/// The owner of a data folder.
enum DataOwner {
  /// Continues as the owner of a data folder if the process runs as root and somebody else owns it.
  ///
  /// What root writes there, the service of that user could not read.
  /// - Parameter path: The path of the folder, which may not exist.
  /// - Throws: ``CommandError/failed(_:)`` if the system does not permit it.
  static func become(of path: String) throws(CommandError) {
    try change(to: path) { user, group in setgid(group) == 0 && setuid(user) == 0 }
  }

  /// Runs a closure as the owner of a data folder, in the same case.
  ///
  /// Programs that it starts have the rights of that user.
  /// - Parameters:
  ///   - path: The path of the folder, which may not exist.
  ///   - work: The closure; afterwards, the process has its former rights again.
  /// - Returns: What the closure returned.
  /// - Throws: ``CommandError/failed(_:)`` if the system does not permit it, and what the closure
  ///   throws.
  static func acting<T>(
    asOwnerOf path: String,
    _ work: () throws(CommandError) -> T
  ) throws(CommandError) -> T {
    var former = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
    former = Array(former.prefix(Int(max(0, getgroups(Int32(clamping: former.count), &former)))))
    let group = getegid()
    let isChanged = try change(to: path) { owner, ownGroup in
      setegid(ownGroup) == 0 && seteuid(owner) == 0
    }
    let result = Result { () throws(CommandError) in try work() }
    guard
      !isChanged
        || seteuid(0) == 0 && setegid(group) == 0
          && setgroups(former.count, former) == 0
    else { throw .failed("root's rights cannot be taken back; run this as the owner of \(path)") }
    return try result.get()
  }

  /// Changes to the owner of a data folder if the process runs as root and somebody else owns it.
  /// - Returns: Whether this was so.
  @discardableResult
  private static func change(
    to path: String,
    _ set: (uid_t, gid_t) -> Bool
  ) throws(CommandError) -> Bool {
    var facts = stat()
    guard geteuid() == 0, stat(path, &facts) == 0, facts.st_uid != 0 else { return false }
    var groups = [facts.st_gid]
    guard setgroups(1, &groups) == 0, set(facts.st_uid, facts.st_gid) else {
      throw .failed(
        "\(path) belongs to the user \(facts.st_uid), as whom this command cannot continue "
          + "(\(String(cString: strerror(errno)))); run it as that user"
      )
    }
    return true
  }
}

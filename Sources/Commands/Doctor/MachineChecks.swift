internal import Foundation
internal import Glibc

/// Whether ports, the data folder, the disk and the system's limits suffice.
struct MachineChecks {
  /// The free space below which the cache and uploads may fail, in bytes.
  private static let spaceMin = 64 << 20
  /// The files that the server opens for other purposes than connections.
  private static let otherFiles = 352

  private let options: ReadingServer.Options

  init(_ options: ReadingServer.Options) { self.options = options }

  func findings() -> [Finding] {
    var findings = [port("port", options.network.listen, options.network.port, "--port")]
    if let admin = options.network.adminListen {
      findings.append(port("admin port", admin.address, admin.port, "--admin-listen"))
    }
    if let data = options.storage.data { findings += [folder(data), space(data)] }
    return findings + [openFiles, backlog].compactMap { $0 }
  }

  // MARK: Ports

  private func port(_ check: String, _ address: String, _ port: Int, _ option: String) -> Finding {
    guard port != 0 else { return Finding(check, .ok, "any free port of \(address)") }
    let place = address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    switch bindError(address, port) {
    case 0: return Finding(check, .ok, "\(place) is free")
    case EADDRINUSE:
      return Finding(
        check,
        .problem,
        "\(place) is in use; stop the program that uses it, or choose another port with \(option)"
      )
    case EACCES:
      return Finding(
        check,
        .problem,
        "\(place) is reserved for root; choose a port from 1024 on with \(option)"
      )
    case EADDRNOTAVAIL:
      return Finding(
        check,
        .problem,
        "\(address) is not an address of this machine; correct --listen"
      )
    case let code:
      return Finding(
        check,
        .problem,
        "\(place) cannot be used: \(String(cString: strerror(code))); correct \(option)"
      )
    }
  }

  /// Listens at an address for a moment.
  /// - Returns: 0, or the system's error.
  private func bindError(_ address: String, _ port: Int) -> Int32 {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address, String(port), &hints, &list) == 0, let one = list?.pointee else {
      return EADDRNOTAVAIL
    }
    defer { freeaddrinfo(list) }
    let socket = Glibc.socket(one.ai_family, one.ai_socktype, one.ai_protocol)
    guard socket >= 0 else { return errno }
    defer { close(socket) }
    // As the server does, so that connections of a previous one that are ending do not matter.
    var isOn: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
    guard bind(socket, one.ai_addr, one.ai_addrlen) == 0, listen(socket, 1) == 0 else {
      return errno
    }
    return 0
  }

  // MARK: The disk

  private func folder(_ path: String) -> Finding {
    let files = FileManager.default
    var existing = path
    while !files.fileExists(atPath: existing), existing != "/", !existing.isEmpty {
      existing = (existing as NSString).deletingLastPathComponent
    }
    var isFolder: ObjCBool = false
    _ = files.fileExists(atPath: existing, isDirectory: &isFolder)
    guard isFolder.boolValue else {
      return Finding(
        "data folder",
        .problem,
        "\(existing) is not a folder; name another with --data"
      )
    }
    // Root may write anywhere, except where the file system is read-only, which a trial shows.
    let trial = existing + "/.lectern-doctor-\(UUID().uuidString)"
    let descriptor = open(trial, O_CREAT | O_EXCL | O_WRONLY, 0o600)
    guard descriptor >= 0 else {
      return Finding(
        "data folder",
        .problem,
        "nothing can be written into \(existing) (\(String(cString: strerror(errno)))); give the"
          + " server's user the right to write there, or name another folder with --data"
      )
    }
    close(descriptor)
    unlink(trial)
    let isNew = existing != path
    return Finding("data folder", .ok, isNew ? "\(path) will be created" : "\(path) is writable")
  }

  private func space(_ path: String) -> Finding {
    guard let free = UploadDisk().free(path) else {
      return Finding("disk", .warning, "the free space of \(path) is unknown; look at it with df")
    }
    let text = "\(free >> 20) MiB are free for \(path)"
    if free < Self.spaceMin {
      return Finding(
        "disk",
        .problem,
        "\(text); free at least \(Self.spaceMin >> 20) MiB, or name another folder with --data"
      )
    }
    guard free >= options.storage.cacheBytes else {
      let cache = options.storage.cacheBytes >> 20
      return Finding(
        "disk",
        .warning,
        "\(text), but the cache may need \(cache) MiB; free some, or reduce --cache-size"
      )
    }
    return Finding("disk", .ok, text)
  }

  // MARK: Limits

  private var openFiles: Finding {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    // The server raises the soft limit itself.
    let granted = Int(clamping: limit.rlim_max)
    let needed = options.connections.total + Self.otherFiles
    guard granted >= needed else {
      return Finding(
        "open files",
        .warning,
        "\(granted) are allowed, but \(options.connections.total) connections need about \(needed);"
          + " raise the hard limit (ulimit -Hn, LimitNOFILE), or reduce --max-connections"
      )
    }
    return Finding("open files", .ok, "\(granted) are allowed, about \(needed) are needed")
  }

  private var backlog: Finding? {
    guard let longest = ReadingServer.Options.Connections.longestQueue else { return nil }
    let asked = options.connections.backlog
    guard longest >= asked else {
      return Finding(
        "backlog",
        .warning,
        "the system lets \(longest) connections wait and not \(asked); raise net.core.somaxconn, or"
          + " reduce --backlog"
      )
    }
    return Finding("backlog", .ok, "\(asked) connections may wait")
  }
}

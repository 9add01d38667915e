internal import Foundation
internal import Glibc
internal import Library
internal import Server

/// Whether ports, the data folder, the disk and the system's limits suffice.
struct MachineChecks {
  /// The free space below which the cache and uploads may fail, in bytes.
  private static let spaceMin = 64 << 20
  /// The files that the server opens for other purposes than connections.
  private static let otherFiles = 352

  private let options: ReadingServer.Options

  init(_ options: ReadingServer.Options) { self.options = options }

  func findings() -> [Finding] {
    var findings = options.network.listenChecks.map { port($0.name, $0.check) }
    if let data = options.storage.data {
      let path = URL(fileURLWithPath: data).standardizedFileURL.path
      findings += folder(path) + [space(path)]
    }
    findings += options.keys.files.filter(KeyLocation.isReadableByOthers).map { path in
      Finding("key file", .warning, "other users can read \(path); take that right (chmod 600)")
    }
    return findings + [openFiles, backlog].compactMap { $0 }
  }

  // MARK: Ports

  private func port(_ name: String, _ check: ListenCheck) -> Finding {
    if let fault = check.fault() { return Finding(name, .problem, fault) }
    return check.port == 0
      ? Finding(name, .ok, "any free port of \(check.address)")
      : Finding(name, .ok, "\(Endpoint.text(check.address, check.port)) is free")
  }

  // MARK: The disk

  private func folder(_ path: String) -> [Finding] {
    let parent = parent(path)
    guard parent.verdict == .ok else { return [parent] }
    let faults = DataFolderCheck.faults(of: path)
    return faults.isEmpty ? [parent] : faults.map { Finding("data folder", .problem, $0) }
  }

  /// Checks whether the folder can be written, or created.
  private func parent(_ path: String) -> Finding {
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

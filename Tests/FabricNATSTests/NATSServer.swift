import Foundation
import Synchronization

/// A nats-server on the loopback interface, with a folder of its own.
// One test uses it at a time.
final class NATSServer: @unchecked Sendable {
  struct NotStarted: Error, CustomStringConvertible {
    let description: String
  }

  let port: Int
  let name: String
  private let folder: URL
  private let configuration: String
  private let environment: [String: String]
  private var process: Process?

  /// Starts a server.
  /// - Parameters:
  ///   - name: The name of the server.
  ///   - port: The port for clients; nil for a free one.
  ///   - hasStorage: Whether the server stores records.
  ///   - configuration: Additional lines, or all but the port and the folder.
  ///   - environment: Additional variables.
  /// - Throws: ``NotStarted``, or what the system reports.
  init(
    name: String = "one",
    port: Int? = nil,
    hasStorage: Bool = true,
    configuration: String = "",
    environment: [String: String] = [:]
  ) throws {
    self.name = name
    self.port = try port ?? Self.freePorts(1)[0]
    self.environment = environment
    folder = FileManager.default.temporaryDirectory.appending(path: "nats-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let isWhole = configuration.contains("server_name")
    self.configuration =
      isWhole
      ? configuration.replacing("/var/lib/nats", with: folder.appending(path: "store").path)
      : """
      server_name: \(name)
      listen: 127.0.0.1:\(self.port)
      \(hasStorage ? "jetstream { store_dir: \"\(folder.path)/store\" }" : "")
      \(configuration)
      """
    try start()
  }

  deinit {
    kill()
    do { try FileManager.default.removeItem(at: folder) } catch { print("\(error)") }
  }

  var address: String { "nats://127.0.0.1:\(port)" }

  /// Starts the server again, with what it has stored.
  func start() throws {
    let file = folder.appending(path: "nats.conf")
    try configuration.write(to: file, atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/sbin/nats-server")
    process.arguments = ["--config", file.path]
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = FileHandle.nullDevice
    let log = Mutex("")
    let isReady = DispatchSemaphore(value: 0)
    let handle = pipe.fileHandleForReading
    // A thread, because a readability handler that ends itself can crash when the pipe hangs up.
    let reader = Thread {
      while true {
        let data = handle.availableData
        let text = log.withLock { log in
          // Only the beginning matters; the pipe must be emptied nevertheless.
          if log.utf8.count < 65_536 { log += String(decoding: data, as: UTF8.self) }
          return log
        }
        if data.isEmpty || text.contains("Server is ready") { isReady.signal() }
        if data.isEmpty { return }
      }
    }
    try process.run()
    reader.start()
    self.process = process
    let result = isReady.wait(timeout: .now() + 20)
    guard result == .success, log.withLock({ $0.contains("Server is ready") }) else {
      throw NotStarted(description: log.withLock { $0 })
    }
  }

  /// Ends the server as SIGKILL does, and waits until it has ended.
  func kill() {
    guard let process else { return }
    signal(SIGKILL)
    process.waitUntilExit()
    self.process = nil
  }

  /// Sends a signal; waits until the server has stopped if the signal stops it.
  func signal(_ number: Int32) {
    guard let process, process.isRunning else { return }
    _ = Foundation.kill(process.processIdentifier, number)
    let end = Date().addingTimeInterval(5)
    while number == SIGSTOP, !hasStopped(process.processIdentifier), Date() < end { usleep(1000) }
  }

  /// Whether all threads of a process have stopped.
  private func hasStopped(_ id: Int32) -> Bool {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task")) ?? []
    return tasks.allSatisfy { task in
      let stat = try? String(contentsOfFile: "/proc/\(id)/task/\(task)/stat", encoding: .utf8)
      // The state follows the name of the program, which is in parentheses.
      return stat?.split(separator: ")").last?.hasPrefix(" T") ?? true
    }
  }

  /// Removes what the server has stored; it must not be running.
  func removeStorage() throws {
    try FileManager.default.removeItem(at: folder.appending(path: "store"))
  }

  /// Returns ports that are free on the loopback interface.
  static func freePorts(_ count: Int) throws -> [Int] {
    var sockets: [Int32] = []
    defer { for socket in sockets { close(socket) } }
    return try (0..<count).map { _ in
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      sockets.append(descriptor)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let status = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
        }
      }
      guard descriptor >= 0, status else { throw NotStarted(description: "there is no free port") }
      return Int(UInt16(bigEndian: address.sin_port))
    }
  }

  /// Starts a cluster of three servers with storage.
  static func cluster() throws -> [NATSServer] {
    let ports = try freePorts(6)
    let routes = ports[3...].map { "nats://127.0.0.1:\($0)" }.joined(separator: ", ")
    return try (0..<3).map { index in
      try NATSServer(
        name: "s\(index)",
        port: ports[index],
        configuration: """
          cluster { name: test, listen: "127.0.0.1:\(ports[3 + index])", routes: [\(routes)] }
          """
      )
    }
  }
}

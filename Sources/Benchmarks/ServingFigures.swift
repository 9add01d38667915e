internal import Foundation
internal import Synchronization
internal import WebServer

/// Measures the cost of sending one page of a book, compared with nginx.
enum ServingFigures {
  private static let bytes = 100_000
  private static let clients = 8
  private static let rounds = 5
  private static let roundSeconds = 1.0
  private static let nginx = "/usr/sbin/nginx"

  static func report() throws {
    let figure = "CPU of a page of \(bytes / 1000) KB on \(clients) open connections"
    guard FileManager.default.isExecutableFile(atPath: nginx) else {
      Table.row(figure, asked: "<= 3 x nginx", "not measured: there is no \(nginx)")
      return
    }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("lectern-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let page = folder.appendingPathComponent("page.webp")
    var random = SystemRandomNumberGenerator()
    try Data((0..<bytes).map { _ in UInt8.random(in: 0...255, using: &random) }).write(to: page)
    let own = try MeasuredProcess("/proc/self/exe", ["serving", page.path])
    defer { own.stop() }
    let port = try own.readPort()
    let otherPort = try LoadClient.freePort()
    let other = try MeasuredProcess(nginx, nginxArguments(folder, port: otherPort))
    defer { other.stop() }
    // The two servers are measured in pairs, so that other load of the machine affects both.
    var ours: [Double] = []
    var theirs: [Double] = []
    for _ in 0..<rounds {
      ours.append(try own.secondsEach { try load(port) })
      theirs.append(try other.secondsEach { try load(otherPort) })
    }
    let ratio = zip(ours, theirs).map { $0 / $1 }.median
    Table.row(
      figure,
      asked: "<= 3 x nginx",
      "\(Table.number(ratio, 2)) x nginx (\(Table.number(ours.median * 1e6, 1)) us, "
        + "nginx \(Table.number(theirs.median * 1e6, 1)) us; medians of \(rounds) pairs)"
    )
  }

  private static func nginxArguments(_ folder: URL, port: Int) -> [String] {
    let settings = """
      daemon off; master_process off; error_log stderr crit; pid \(folder.path)/pid;
      events { worker_connections 256; }
      http {
        sendfile on; access_log off; keepalive_requests 100000000;
        types { image/webp webp; }
        client_body_temp_path \(folder.path)/a; proxy_temp_path \(folder.path)/b;
        fastcgi_temp_path \(folder.path)/c; uwsgi_temp_path \(folder.path)/d;
        scgi_temp_path \(folder.path)/e;
        server { listen 127.0.0.1:\(port); root \(folder.path); }
      }
      """
    let file = folder.appendingPathComponent("nginx.conf")
    try? Data(settings.utf8).write(to: file)
    return ["-c", file.path, "-p", folder.path]
  }

  /// Requests the page repeatedly for a while and returns the number of requests.
  private static func load(_ port: Int) throws -> Int {
    let total = Mutex(0)
    let end = Date().addingTimeInterval(roundSeconds)
    DispatchQueue.concurrentPerform(iterations: clients) { _ in
      guard let client = LoadClient(port: port) else { return }
      var count = 0
      while Date() < end, client.fetch("/page.webp", bytes: bytes) { count += 1 }
      total.withLock { $0 += count }
    }
    let count = total.withLock { $0 }
    guard count > 0 else { throw CocoaError(.fileReadUnknown) }
    return count
  }
}

/// A server of one file, in a separate process, that counts the bytes sent to it.
enum FileServer {
  private final class Application: WebApplication {
    weak var server: WebServer?
    private let path: String
    private var received: [RequestID: Int] = [:]

    init(path: String) {
      self.path = path
    }

    func respond(to request: HTTPRequest, as id: RequestID) -> HTTPAnswer {
      if request.method == .put { return .body(limit: .max) }
      return .now(HTTPResponse(contentType: "image/webp", body: .file(path), caching: .immutable))
    }

    func bodyReceived(_ id: RequestID, _ bytes: UnsafeRawBufferPointer) {
      received[id, default: 0] += bytes.count
    }

    func bodyEnded(_ id: RequestID) {
      server?.answer(id, .text(status: 200, "\(received.removeValue(forKey: id) ?? 0)\n"))
    }

    func requestGone(_ id: RequestID) { received[id] = nil }

    func opened(_ connection: ConnectionID, from peer: String, now: Double) {}
    func received(_ connection: ConnectionID, _ bytes: UnsafeRawBufferPointer, now: Double) {}
    func becameWritable(_ connection: ConnectionID, now: Double) {}
    func closed(_ connection: ConnectionID, code: UInt16, now: Double) {}
    func tick(now: Double) {}
    func willStop(now: Double) {}
  }

  /// Prints the port and serves until it is stopped.
  static func run(path: String) throws {
    let application = Application(path: path)
    let server = try WebServer(
      options: ServerOptions(stopsOnSignals: true),
      application: application
    )
    application.server = server
    print(server.port)
    fflush(nil)
    server.run()
  }
}

/// A blocking client that keeps its connection open.
private final class LoadClient {
  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 262_144)

  /// Connects; nil if no server listens within a few seconds.
  init?(port: Int) {
    for _ in 0..<500 {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      if Self.connects(descriptor, port: port) {
        self.descriptor = descriptor
        return
      }
      close(descriptor)
      usleep(10_000)
    }
    return nil
  }

  deinit {
    close(descriptor)
  }

  /// Returns a port that was free a moment ago.
  static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else { throw CocoaError(.fileReadUnknown) }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  /// Requests a file and reads all of it.
  func fetch(_ path: String, bytes: Int) -> Bool {
    let request = Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
    guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
      return false
    }
    var count = 0
    var wanted = Int.max
    while count < wanted {
      let taken = recv(descriptor, &buffer, buffer.count, 0)
      guard taken > 0 else { return false }
      if count == 0 {
        let end = buffer.prefix(taken).firstRange(of: Array("\r\n\r\n".utf8))
        guard let end else { return false }
        wanted = end.upperBound + bytes
      }
      count += taken
    }
    return count == wanted
  }

  private static func connects(_ descriptor: Int32, port: Int) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}

import Foundation
import Glibc
import Testing

@testable import Server

@Suite("The service manager")
struct ServiceManagerTests {
  /// Binds a socket as a manager does.
  private func listen(_ path: String) throws -> Int32 {
    let file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    if path.hasPrefix("@") { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(2 + bytes.count + (path.hasPrefix("@") ? 0 : 1))
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(file, $0, length) == 0 }
    }
    try #require(isBound)
    return file
  }

  private func received(_ file: Int32, waits: Bool = false) -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(file, &bytes, bytes.count, waits ? 0 : Int32(MSG_DONTWAIT))
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  @Test(
    "is told when the server is ready, reads its keys again, and stops",
    arguments: [true, false]
  )
  func states(isAbstract: Bool) throws {
    let name = "lectern-\(UUID().uuidString)"
    let path = isAbstract ? "@" + name : NSTemporaryDirectory() + "/" + name
    let file = try listen(path)
    defer {
      close(file)
      unlink(path)
    }
    let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": path]))
    manager.tell(.ready)
    #expect(received(file).hasPrefix("READY=1\n"))
    manager.tell(.reloading)
    #expect(received(file).wholeMatch(of: /RELOADING=1\nMONOTONIC_USEC=\d+/) != nil)
    manager.tell(.stopping)
    #expect(received(file) == "STOPPING=1")
  }

  @Test("hears from lectern serve", .timeLimit(.minutes(5)))
  func serving() throws {
    let folder = try SampleFolder(books: [[2]])
    let path = folder.root.appendingPathComponent("manager").path
    let file = try listen(path)
    defer { close(file) }
    let server = try ServingProcess(folder, environment: ["NOTIFY_SOCKET": path])
    #expect(received(file, waits: true).hasPrefix("READY=1\n"))
    kill(server.process.processIdentifier, SIGHUP)
    #expect(received(file, waits: true).hasPrefix("RELOADING=1\n"))
    #expect(received(file, waits: true).hasPrefix("READY=1\n"))
    server.process.terminate()
    #expect(received(file, waits: true) == "STOPPING=1")
  }

  @Test("that is not there, or does not read, holds nothing up")
  func absent() throws {
    #expect(ServiceManager(environment: [:]) == nil)
    #expect(ServiceManager(environment: ["NOTIFY_SOCKET": "relative"]) == nil)
    for path in ["/nowhere/socket", "/" + String(repeating: "x", count: 500)] {
      try #require(ServiceManager(environment: ["NOTIFY_SOCKET": path])).tell(.ready)
    }
    let path = NSTemporaryDirectory() + "/lectern-\(UUID().uuidString)"
    let file = try listen(path)
    defer {
      close(file)
      unlink(path)
    }
    let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": path]))
    // More than the queue of the socket holds.
    for _ in 0..<5000 { manager.tell(.stopping) }
    #expect(received(file) == "STOPPING=1")
  }
}

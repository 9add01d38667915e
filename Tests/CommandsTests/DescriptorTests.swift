import Foundation
import HeadlessReader
import Testing

@testable import Commands
@testable import Server

/// Connections that request something and read nothing of the response.
private final class SlowDownloads {
  private var sockets: [Int32] = []

  init(_ count: Int, of path: String, port: Int) {
    for _ in 0..<count {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var size: Int32 = 2048
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = UInt16(port).bigEndian
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      _ = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      let words = Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
      _ = words.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      sockets.append(descriptor)
    }
  }

  deinit { for descriptor in sockets { close(descriptor) } }
}

@Suite("A server with few descriptors", .timeLimit(.minutes(10)))
struct DescriptorTests {
  @Test("a server says at the start what the system reduces, and what to do about it")
  func reductions() throws {
    let folder = try SampleFolder()
    let errors = Pipe()
    let words = ["--max-connections", "3000"]
    let server = try ServingProcess(
      folder,
      words,
      files: 600,
      errors: errors.fileHandleForWriting
    )
    server.process.terminate()
    server.process.waitUntilExit()
    try errors.fileHandleForWriting.close()
    let log = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(log.contains("connections and not 3000") && log.contains("ulimit -Hn"))
    let options = ReadingServer.Options.Connections()
    #expect(options.reductions(granted: 2048, longestQueue: 1024).isEmpty)
    #expect(options.reductions(granted: 2048, longestQueue: nil).isEmpty)
    let both = options.reductions(granted: 100, longestQueue: 128)
    #expect(both.count == 2 && both[0].contains("100") && both[1].contains("somaxconn"))
  }

  @Test("slow downloads leave descriptors for pages, pictures and readers", arguments: [128, 256])
  func slowDownloads(files: Int) throws {
    let folder = try SampleFolder()
    try Data(count: 5_000_000).write(to: URL(fileURLWithPath: folder.web + "/large.bin"))
    let server = try ServingProcess(folder, files: files)
    let downloads = SlowDownloads(150, of: "/large.bin", port: server.port)
    for path in ["/", "/api/books"] {
      #expect(try server.ask(path).status == 200, "\(path)")
    }
    let reader = try HeadlessReader(port: server.port, room: "", viewport: .plain)
    #expect(!reader.elements.isEmpty)
    reader.close()
    withExtendedLifetime(downloads) {}
    server.process.terminate()
    server.process.waitUntilExit()
    #expect(server.process.terminationStatus == 0)
  }
}

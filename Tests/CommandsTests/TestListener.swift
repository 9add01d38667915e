import Foundation
import Testing

/// A listener on a free port of this machine, which does with its connections what a test wants.
final class TestListener: Sendable {
  let port: Int
  private let descriptor: Int32

  init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.descriptor = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, 8) == 0
          && getsockname(descriptor, $0, &size) == 0
      }
    }
    try #require(isListening)
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  /// Waits for a connection, which the caller closes; nil once the listener is stopped.
  func connection() -> Int32? {
    let connection = accept(descriptor, nil, nil)
    return connection >= 0 ? connection : nil
  }

  /// Ends ``connection()`` on another thread.
  func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  deinit { close(descriptor) }
}

/// A web server that answers every request in the same way.
final class CannedServer: Sendable {
  let url: String
  private let listener: TestListener

  init(_ status: String, body: String) throws {
    let listener = try TestListener()
    self.listener = listener
    url = "http://127.0.0.1:\(listener.port)"
    let head = "\(status)\r\ncontent-length: \(body.utf8.count)\r\nconnection: close\r\n\r\n"
    let answer = Array((head + body).utf8)
    Thread.detachNewThread {
      while let connection = listener.connection() {
        var request = [UInt8](repeating: 0, count: 4096)
        _ = recv(connection, &request, request.count, 0)
        _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
        close(connection)
      }
    }
  }

  deinit { listener.stop() }
}

internal import Foundation
internal import Glibc
internal import Synchronization
internal import Wire

/// A client that sends WebSocket pings as fast as it is told, and comes back when it is closed.
///
/// It speaks bytes: a library for WebSockets would not send so many.
final class PingFlood: Flood, Sendable {
  private let port: Int
  private let rate: Double
  private let isStopped = Mutex(false)
  private let result = Mutex((sent: 0, closes: 0))
  private let isDone = DispatchSemaphore(value: 0)

  /// A client of a server on this machine; the rate is in pings a second.
  init(port: Int, rate: Double) { (self.port, self.rate) = (port, rate) }

  func start() {
    Thread.detachNewThread { [self] in
      while !isStopped.withLock({ $0 }) {
        flood()
        result.withLock { $0.closes += 1 }
        // Whoever is refused at the door does not knock a thousand times a second.
        usleep(50_000)
      }
      isDone.signal()
    }
  }

  func stop() -> (sent: Int, closes: Int) {
    isStopped.withLock { $0 = true }
    isDone.wait()
    return result.withLock { $0 }
  }

  private func flood() {
    guard let descriptor = connected() else { return }
    defer { close(descriptor) }
    // A final ping frame, masked, without a payload.
    let ping: [UInt8] = [0x89, 0x80, 1, 2, 3, 4]
    var heard = [UInt8](repeating: 0, count: 65_536)
    let began = Date()
    var sent = 0
    while !isStopped.withLock({ $0 }) {
      let due = min(Int(Date().timeIntervalSince(began) * rate), sent + 100)
      if due > sent {
        let bytes = Array(repeatElement(ping, count: due - sent).joined())
        guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
          return
        }
        result.withLock { [count = due - sent] in $0.sent += count }
        sent = due
      }
      let flags = Int32(MSG_DONTWAIT)
      guard recv(descriptor, &heard, heard.count, flags) != 0 else { return }
      usleep(2000)
    }
  }

  /// A socket over which a WebSocket is open; nil if there is none to be had.
  private func connected() -> Int32? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    let words = """
      GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
      Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\
      Sec-WebSocket-Protocol: \(WireVersion.subprotocol)\r\n\r\n
      """
    let bytes = Array(words.utf8)
    var answer = [UInt8](repeating: 0, count: 1024)
    guard isConnected, send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count,
      recv(descriptor, &answer, answer.count, 0) > 12,
      answer.starts(with: Array("HTTP/1.1 101".utf8))
    else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}

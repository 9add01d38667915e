internal import Foundation
internal import Glibc
internal import Wire

/// A client that sends WebSocket pings.
///
/// It writes raw bytes, because a WebSocket library would not send that many.
struct PingClient: Sendable {
  /// A final ping frame, masked, without a payload.
  private static let ping: [UInt8] = [0x89, 0x80, 1, 2, 3, 4]

  /// The port of a server on this machine.
  let port: Int

  /// Floods over one connection.
  func visit(_ flood: Flood) {
    guard let descriptor = connected() else { return }
    defer { close(descriptor) }
    var heard = [UInt8](repeating: 0, count: 65_536)
    flood.pace { turns in
      let bytes = Array(repeatElement(Self.ping, count: turns.count).joined())
      return send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    } isClosed: {
      recv(descriptor, &heard, heard.count, Int32(MSG_DONTWAIT)) == 0
    }
  }

  /// Connects and returns the socket of an open WebSocket, or nil.
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

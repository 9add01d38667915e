import Foundation
import Glibc

/// A blocking TCP client that sends exactly what a test wants.
final class RawSocket {
  struct Response: Equatable {
    var status: Int
    var fields: [String: String]
    var body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// A received WebSocket frame.
  struct Frame: Equatable {
    var opcode: UInt8
    var payload: [UInt8]
    var closeCode: UInt16 {
      payload.count < 2 ? 0 : UInt16(payload[0]) << 8 | UInt16(payload[1])
    }
  }

  /// The timeout in seconds; sanitizers make a server slow.
  static let patience =
    ProcessInfo.processInfo.environment["LECTERN_SANITIZER"] == nil ? 10 : 90

  private let descriptor: Int32
  private var buffered: [UInt8] = []
  private var isOpen = true

  /// Connects to a port.
  ///
  /// A receive buffer bounds the bytes that a reader that accepts nothing can hold. The source
  /// address is one of 127.0.0.0/8.
  init(port: Int, receiveBuffer: Int32? = nil, from source: String? = nil) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var patience = timeval(tv_sec: Self.patience, tv_usec: 0)
    setsockopt(
      descriptor,
      SOL_SOCKET,
      SO_RCVTIMEO,
      &patience,
      socklen_t(MemoryLayout<timeval>.size)
    )
    if var size = receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    if let source {
      var own = sockaddr_in()
      own.sin_family = sa_family_t(AF_INET)
      inet_pton(AF_INET, source, &own.sin_addr)
      _ = withUnsafePointer(to: &own) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  deinit { hangUp() }

  /// Closes the connection with a FIN, or with a reset if input is unread or a reset is requested.
  func hangUp(reset: Bool = false) {
    guard isOpen else { return }
    isOpen = false
    if reset {
      var option = linger(l_onoff: 1, l_linger: 0)
      let size = socklen_t(MemoryLayout<linger>.size)
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, size)
    }
    close(descriptor)
  }

  func write(_ text: String) { write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// Sends a request and reads its response; nil if the server hung up without one.
  func request(
    _ method: String = "GET",
    _ path: String,
    fields: [(String, String)] = [],
    body: [UInt8]? = nil
  ) -> Response? {
    writeHead(
      method,
      path,
      fields: fields + (body.map { [("Content-Length", "\($0.count)")] } ?? [])
    )
    if let body { write(body) }
    return readResponse(hasBody: method != "HEAD")
  }

  /// Sends the head of a request.
  func writeHead(_ method: String, _ path: String, fields: [(String, String)] = []) {
    var text = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    for (name, value) in fields { text += "\(name): \(value)\r\n" }
    write(text + "\r\n")
  }

  /// Sends as many bytes as possible without waiting, and returns their number.
  func writeWithoutWaiting(_ bytes: [UInt8]) -> Int {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      guard count > 0 else { return sent }
      sent += count
    }
    return sent
  }

  func readResponse(hasBody: Bool = true) -> Response? {
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
      guard let byte = read(1)?.first else { return nil }
      head.append(byte)
    }
    var lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    let status = Int(lines.removeFirst().split(separator: " ")[1]) ?? 0
    var fields: [String: String] = [:]
    for line in lines {
      let parts = line.split(separator: ":", maxSplits: 1)
      fields[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].dropFirst()) : ""
    }
    let count = hasBody && status != 101 ? Int(fields["content-length"] ?? "0") ?? 0 : 0
    guard let body = read(count) else { return nil }
    return Response(status: status, fields: fields, body: body)
  }

  /// Requests a WebSocket.
  func upgrade(
    path: String = "/ws",
    subprotocol: String? = "lectern.v1",
    origin: String? = nil,
    forwarded: String? = nil,
    forwardedHost: String? = nil,
    to word: String = "websocket",
    version: String = "13",
    key: String = "dGhlIHNhbXBsZSBub25jZQ=="
  ) -> Response? {
    var fields = [
      ("Upgrade", word), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", version),
      ("Sec-WebSocket-Key", key),
    ]
    if let subprotocol { fields.append(("Sec-WebSocket-Protocol", subprotocol)) }
    if let origin { fields.append(("Origin", origin)) }
    if let forwarded { fields.append(("X-Forwarded-For", forwarded)) }
    if let forwardedHost { fields.append(("X-Forwarded-Host", forwardedHost)) }
    return request("GET", path, fields: fields)
  }

  func writeFrame(opcode: UInt8, final: Bool = true, _ payload: [UInt8]) {
    var frame = [opcode | (final ? 0x80 : 0)]
    if payload.count < 126 {
      frame.append(0x80 | UInt8(payload.count))
    } else {
      frame += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
    }
    // A mask of zeros does not change the payload.
    write(frame + [0, 0, 0, 0] + payload)
  }

  func readFrame() -> Frame? {
    guard let head = read(2) else { return nil }
    var count = Int(head[1] & 0x7f)
    if count >= 126 {
      guard let length = read(count == 126 ? 2 : 8) else { return nil }
      count = length.reduce(0) { $0 << 8 | Int($1) }
    }
    return read(count).map { Frame(opcode: head[0] & 0x0f, payload: $0) }
  }

  /// Returns whether the server closes the connection.
  func isHungUp() -> Bool {
    guard buffered.isEmpty else { return false }
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, 0)
    // Without an error, errno is that of an earlier call.
    return count == 0 || count < 0 && errno != EAGAIN && errno != EWOULDBLOCK
  }

  private func read(_ count: Int) -> [UInt8]? {
    while buffered.count < count {
      var part = [UInt8](repeating: 0, count: 65_536)
      let taken = recv(descriptor, &part, part.count, 0)
      guard taken > 0 else { return nil }
      buffered += part.prefix(taken)
    }
    defer { buffered.removeFirst(count) }
    return Array(buffered.prefix(count))
  }
}

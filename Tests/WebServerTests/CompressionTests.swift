import CZlib
import Foundation
import Testing

@testable import WebServer

private let gzip = [("Accept-Encoding", "gzip, deflate, br")]

/// Decompresses bytes; nil if they are not in the gzip format.
private func inflated(_ bytes: [UInt8]) -> [UInt8]? {
  var stream = z_stream()
  let size = Int32(MemoryLayout<z_stream>.size)
  guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, size) == Z_OK else { return nil }
  defer { inflateEnd(&stream) }
  var output = [UInt8](repeating: 0, count: 4_000_000)
  let isWhole = bytes.withUnsafeBufferPointer { source in
    output.withUnsafeMutableBufferPointer { target in
      stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
      stream.avail_in = UInt32(source.count)
      stream.next_out = target.baseAddress
      stream.avail_out = UInt32(target.count)
      return inflate(&stream, Z_FINISH) == Z_STREAM_END
    }
  }
  return isWhole ? Array(output.prefix(Int(stream.total_out))) : nil
}

@Suite("Compression")
struct CompressionTests {
  private func script(_ count: Int) -> Data {
    Data(String(repeating: "let a\n", count: count).utf8)
  }

  @Test("text is compressed for a client that accepts gzip, and unchanged for others")
  func text() throws {
    let server = try TestServer()
    let code = script(500)
    try code.write(to: server.root.appendingPathComponent("js/main.js"))
    let client = RawSocket(port: server.port)
    let packed = try #require(client.request("GET", "/js/main.js", fields: gzip))
    #expect(packed.fields["content-encoding"] == "gzip")
    #expect(packed.fields["vary"] == "accept-encoding")
    #expect(packed.fields["content-type"] == "text/javascript; charset=utf-8")
    #expect(packed.body.count < 200 && inflated(packed.body) == Array(code))
    let plain = try #require(client.request("GET", "/js/main.js"))
    #expect(plain.fields["content-encoding"] == nil && plain.body == Array(code))
    #expect(plain.fields["vary"] == "accept-encoding")
    #expect(plain.fields["etag"] != packed.fields["etag"])
    let head = try #require(client.request("HEAD", "/js/main.js", fields: gzip))
    #expect(head.fields["content-length"] == "\(packed.body.count)" && head.body.isEmpty)
  }

  @Test(
    "a compressed file gives 304 until it changes, then its new bytes"
  )
  func changes() throws {
    let server = try TestServer()
    let file = server.root.appendingPathComponent("js/main.js")
    try script(500).write(to: file)
    let client = RawSocket(port: server.port)
    let tag = try #require(client.request("GET", "/js/main.js", fields: gzip)?.fields["etag"])
    let known = gzip + [("If-None-Match", tag)]
    let unchanged = try #require(client.request("GET", "/js/main.js", fields: known))
    #expect(unchanged.status == 304 && unchanged.fields["etag"] == tag)
    try script(900).write(to: file)
    let changed = try #require(client.request("GET", "/js/main.js", fields: known))
    #expect(changed.status == 200 && inflated(changed.body) == Array(script(900)))
  }

  @Test(
    "pictures, fonts, incompressible files and large files are sent uncompressed",
    arguments: [("a.png", 500), ("a.woff2", 500), ("a.svg", 500), ("b.js", 1), ("c.js", 50_000)]
  )
  func plain(name: String, count: Int) throws {
    let server = try TestServer()
    try script(count).write(to: server.root.appendingPathComponent(name))
    let response = try #require(
      RawSocket(port: server.port).request("GET", "/\(name)", fields: gzip)
    )
    #expect(response.fields["content-encoding"] == nil)
    #expect(response.body == Array(script(count)))
  }

  @Test("JSON of the application is compressed, unless it is small")
  func json() throws {
    let server = try TestServer()
    let client = RawSocket(port: server.port)
    let list = try #require(client.request("GET", "/list", fields: gzip))
    #expect(list.fields["content-encoding"] == "gzip")
    #expect(list.fields["vary"] == "accept-encoding")
    let bytes = try #require(inflated(list.body))
    #expect(client.request("GET", "/list")?.body == bytes)
    #expect(client.request("GET", "/healthz", fields: gzip)?.text == "{}")
  }

  @Test(
    "a client accepts gzip if its field says so",
    arguments: [
      ("gzip", true), ("br, gzip;q=0.5", true), ("GZIP", true), ("*", true), ("x-gzip", true),
      ("gzip;q=0", false), ("gzip; q=0.000", false), ("br", false), ("*;q=0", false), ("", false),
      ("gzip;q=0, *", false), (";;,,;q", false), ("identity", false),
    ]
  )
  func accepting(field: String, isAccepted: Bool) {
    #expect(Gzip.isAccepted(by: field) == isAccepted)
    #expect(!Gzip.isAccepted(by: nil))
  }
}

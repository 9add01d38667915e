import Testing

@testable import WebServer

@Suite("Framing of bodies")
struct BodyFramingTests {
  @Test("a length is one number of at most fifteen digits")
  func lengths() {
    func framing(_ length: String?, _ method: HTTPRequest.Method? = .post) -> BodyFraming {
      BodyFraming(method: method, contentLength: length, transferEncoding: nil)
    }
    #expect(framing("0") == .none)
    #expect(framing("000") == .none)
    #expect(framing("17") == .counted(17))
    #expect(framing("999999999999999") == .counted(999_999_999_999_999))
    for strange in [
      "", " 1", "+1", "-1", "1 ", "1;1", "1,1", "0x1", "1e3", "1000000000000000", "١",
    ] {
      #expect(framing(strange) == .malformed, "\(strange)")
    }
    #expect(framing(nil) == .unannounced)
    #expect(framing(nil, .put) == .unannounced)
    #expect(framing(nil, .patch) == .unannounced)
    for method in [HTTPRequest.Method.get, .head, .delete, nil] {
      #expect(framing(nil, method) == .none)
      #expect(framing("3", method) == .counted(3))
    }
  }

  @Test("a transfer encoding overrides every length")
  func chunks() {
    for length in [nil, "0", "5", "x"] {
      let framing = BodyFraming(
        method: .get,
        contentLength: length,
        transferEncoding: "identity"
      )
      #expect(framing == .chunked)
      #expect(framing.count == nil)
    }
  }
}

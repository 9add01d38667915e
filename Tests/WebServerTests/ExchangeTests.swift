import Testing

@testable import WebServer

@Suite("The body of a request")
struct RequestBodyTests {
  @Test("a pause moves the deadline by its length")
  func pauses() {
    var body = RequestBody()
    body.setDeadline(100)
    #expect(body.secondsLeft(at: 60) == 40 && !body.isPaused)
    body.pause(at: 60)
    #expect(body.isPaused)
    let isResumed = body.resume(at: 75)
    #expect(isResumed && !body.isPaused && body.secondsLeft(at: 75) == 40)
    let isResumedAgain = body.resume(at: 80)
    #expect(!isResumedAgain && body.secondsLeft(at: 75) == 40)
  }

  @Test("a moment is left after the deadline, because a timer of zero never ends")
  func late() {
    var body = RequestBody()
    body.setDeadline(100)
    #expect(body.secondsLeft(at: 200) > 0)
  }

  @Test("more of a body is expected until as many bytes as announced have arrived")
  func left() {
    #expect(!RequestBody().isExpected && !RequestBody(.none).isExpected)
    var body = RequestBody(.counted(5))
    body.consume(3)
    #expect(body.isExpected && body.left == 2)
    body.consume(2)
    #expect(!body.isExpected && body.left == 0)
    var unannounced = RequestBody(.unannounced)
    unannounced.consume(1_000_000)
    #expect(unannounced.isExpected && unannounced.left == nil)
    unannounced.end()
    #expect(!unannounced.isExpected)
  }

  @Test("unwanted bytes are discarded up to a limit")
  func discards() {
    var body = RequestBody(.counted(1000))
    let isWithin = [60, 40, 1].map { body.discard($0, limit: 100) }
    #expect(isWithin == [true, true, false])
  }
}

@Suite("The conditions of a response")
struct ResponseConditionsTests {
  private func json(_ count: Int) -> HTTPResponse {
    var response = HTTPResponse(
      contentType: "application/json",
      body: .bytes([UInt8](repeating: UInt8(ascii: "1"), count: count))
    )
    response.entityTag = "t"
    return response
  }

  @Test(
    "a tag is known if the client lists it, weak or strong",
    arguments: [
      ("\"a\"", true), ("W/\"a\"", true), ("*", true), ("\"b\", \"a\"", true), ("\"b\"", false),
      ("a", false), ("", false),
    ]
  )
  func tags(field: String, isKnown: Bool) {
    #expect(ResponseConditions(knownTags: field).isKnown("\"a\"") == isKnown)
  }

  @Test("without the field, no tag is known")
  func noTags() {
    #expect(!ResponseConditions().isKnown("\"a\""))
  }

  @Test("JSON of a medium size is compressed for a client that accepts gzip")
  func compression() {
    let accepting = ResponseConditions(acceptsGzip: true)
    let packed = accepting.coded(json(5000))
    #expect(packed.fields == [.variesByCoding, .gzip] && packed.entityTag == "t-gzip")
    #expect(accepting.coded(json(100)) == json(100))
    #expect(accepting.coded(json(200_000)) == json(200_000))
    let plain = ResponseConditions().coded(json(5000))
    #expect(plain.body == json(5000).body && plain.fields == [.variesByCoding])
    #expect(accepting.coded(packed) == packed)
  }
}

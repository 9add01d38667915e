/// How the head of a request announces the body.
enum BodyFraming: Equatable {
  /// There is no body.
  case none
  /// A body of this many bytes, above zero.
  case counted(Int)
  /// The method may have a body, but no length is given.
  case unannounced
  /// The body is chunked, so its length is unknown.
  case chunked
  /// The length is not a single number.
  case malformed

  init(method: HTTPRequest.Method?, contentLength: String?, transferEncoding: String?) {
    guard transferEncoding == nil else {
      self = .chunked
      return
    }
    guard let contentLength else {
      self = method == .post || method == .put || method == .patch ? .unannounced : .none
      return
    }
    // Fifteen digits are a petabyte, and sums of them cannot overflow.
    let digits = contentLength.utf8
    guard digits.count <= 15, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
      let count = Int(contentLength)
    else {
      self = .malformed
      return
    }
    self = count == 0 ? .none : .counted(count)
  }

  /// The length in bytes, if it is known.
  var count: Int? {
    switch self {
    case .none: 0
    case .counted(let count): count
    case .unannounced, .chunked, .malformed: nil
    }
  }

  /// The response to a head that cannot be accepted, or nil.
  var refusal: (status: Int, words: String)? {
    switch self {
    case .none, .counted, .unannounced: nil
    case .chunked: (411, "Chunked bodies are not supported. Send a Content-Length.")
    case .malformed: (400, "Content-Length must be a single number of bytes.")
    }
  }
}

/// What the head of a request says about the body after it.
///
/// Judged before libwebsockets does, which takes any number for a length, reads chunks as the next
/// request, and waits for 100 MiB where nothing was said.
enum BodyFraming: Equatable {
  /// There is none.
  case none
  /// So many bytes, above zero, follow.
  case counted(Int)
  /// A method that may carry a body, without a word about its length.
  case unannounced
  /// The body comes in chunks, whose end is not known beforehand.
  case chunked
  /// The length is not one number.
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
    // Fifteen digits are a petabyte, and no sum of them overflows.
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

  /// Why nothing sensible can follow a head that says this, or nil.
  var refusal: (status: Int, words: String)? {
    switch self {
    case .none, .counted, .unannounced: nil
    case .chunked: (411, "Bodies in chunks are not read: say the Content-Length instead.")
    case .malformed: (400, "Content-Length has to be one number of bytes.")
    }
  }
}

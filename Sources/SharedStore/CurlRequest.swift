/// One request over HTTP.
struct CurlRequest {
  /// The body to send.
  enum Source {
    case none
    case bytes([UInt8])
    case file(String)
  }

  var method: String
  var url: String
  var headers: [String] = []
  /// The parameters of an AWS signature; empty for none.
  var signature = ""
  /// The id and the secret of the access key, with a colon between them.
  var credentials = ""
  var source = Source.none
  var sourceSize = 0
  /// The file that receives the body of a successful answer; nil to keep it in memory.
  var target: String?
  /// The maximum size of the body of a successful answer.
  var limit = 1 << 16
  var connectSeconds = 5
  var stallSeconds = 30
  /// Whether an answer with status 101, after which another protocol follows, ends the request.
  var endsAtUpgrade = false

  init(method: String, url: String) { (self.method, self.url) = (method, url) }
}

/// The answer to a request.
struct CurlAnswer {
  var status = 0
  /// The body, unless it was written to a file; that of a failure is truncated.
  var body: [UInt8] = []
  /// The digest of the body.
  var digest: [UInt8] = []
  /// The value of the `Content-Length` header.
  var length: Int?
}

/// A reason that a request has no answer.
enum CurlError: Error {
  /// The connection failed; the text is that of libcurl.
  case transfer(String)
  /// The connection or the answer took too long; the text is that of libcurl.
  case timedOut(String)
  /// The answer is larger than the limit.
  case tooLarge
  /// The file to send or to receive cannot be used.
  case localFile(String)
}

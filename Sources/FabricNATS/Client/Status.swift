internal import CNATS

/// The result of a call of the client library that failed.
struct Failure: Error {
  let status: natsStatus
  /// The number of the error that the server reported; 0 if it reported none.
  let code: Int
  let text: String

  /// Takes the texts of the calling thread's latest error.
  init(_ status: natsStatus, code: Int = 0) {
    (self.status, self.code) = (status, code)
    let general = String(cString: natsStatus_GetText(status))
    let detail = nats_GetLastError(nil).map { String(cString: $0) } ?? ""
    text = detail.isEmpty ? general : detail
  }
}

/// Throws unless a call succeeded.
func check(_ status: natsStatus, _ code: jsErrCode = jsErrCode(0)) throws(Failure) {
  guard status == NATS_OK else { throw Failure(status, code: Int(code.rawValue)) }
}

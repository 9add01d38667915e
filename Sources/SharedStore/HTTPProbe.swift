/// Asks a web server once, over HTTP or HTTPS, as a client of it would.
package enum HTTPProbe {
  private static let sessions = CurlSessions()
  private static let bodyMax = 1 << 20

  /// The answer of a server.
  package struct Answer: Equatable, Sendable {
    package let status: Int
    /// The beginning of the body.
    package let body: [UInt8]
  }

  /// There was no answer.
  package struct Failure: Error, Equatable {
    /// The message of the client library.
    package let reason: String
  }

  /// Sends a GET request and waits for its answer; blocks for some seconds at most.
  ///
  /// Redirections are not followed. With status 101 the connection is closed at once.
  /// - Parameters:
  ///   - url: The address.
  ///   - headers: Additional fields, each as `name: value`.
  /// - Returns: The answer.
  /// - Throws: ``Failure`` if there is none.
  package static func get(_ url: String, headers: [String] = []) throws(Failure) -> Answer {
    var request = CurlRequest(method: "GET", url: url)
    request.headers = headers
    request.limit = bodyMax
    request.stallSeconds = 10
    request.endsAtUpgrade = true
    do throws(CurlError) {
      let answer = try sessions.perform(request)
      return Answer(status: answer.status, body: answer.body)
    } catch {
      switch error {
      case .transfer(let text), .timedOut(let text), .localFile(let text):
        throw Failure(reason: text)
      case .tooLarge: throw Failure(reason: "the answer is larger than \(bodyMax >> 10) KiB")
      }
    }
  }
}

internal import Bytes
internal import Glibc
internal import Synchronization

/// A store in a bucket of an S3 API.
///
/// Requests are signed with the signature version 4 of AWS. Keys and the prefix need no escaping,
/// and query parameters are sorted, so that the signed text is the one that the server computes.
/// One PUT stores a file of up to 5 GB.
package final class S3Store: BlobStore {
  /// Where the store is, for messages.
  package let location: String
  private let options: S3Options
  private let sessions = CurlSessions()
  private static let emptyDigest = Hexadecimal.text(ContentDigest.of([]))
  /// The limit of a list and of an error in XML, in bytes.
  private static let textMax = 4 << 20

  /// Uses a bucket; does not connect to it.
  package init(_ options: S3Options) {
    self.options = options
    let prefix = options.prefix.isEmpty ? "" : "/" + options.prefix
    location = "s3://\(options.bucket)\(prefix) at \(options.endpoint)"
  }

  // MARK: Operations

  /// Stores bytes under a key.
  package func put(_ bytes: [UInt8], at key: BlobKey) throws(BlobStoreError) {
    let digest = Hexadecimal.text(ContentDigest.of(bytes))
    try put(key, .bytes(bytes), digest: digest, size: bytes.count)
  }

  /// Stores a file under a key.
  package func put(file path: String, at key: BlobKey) throws(BlobStoreError) {
    let facts: (digest: [UInt8], size: Int)
    do throws(LocalFile.Failure) { facts = try LocalFile.digest(of: path) } catch {
      throw self.error(.put, key, .localFile(error.text))
    }
    try put(key, .file(path), digest: Hexadecimal.text(facts.digest), size: facts.size)
  }

  private func put(
    _ key: BlobKey,
    _ source: CurlRequest.Source,
    digest: String,
    size: Int
  ) throws(BlobStoreError) {
    if let expected = key.contentDigest {
      guard digest == expected else {
        throw error(.put, key, .damaged("the content is not the one that the key names"))
      }
      if try self.size(of: key) == size { return }
    }
    var request = request("PUT", address(of: key), digest: digest)
    request.source = source
    request.sourceSize = size
    if case .file = source { request.stallSeconds = options.stallSeconds }
    _ = try answer(to: request, .put, key.text)
  }

  /// Reads the bytes under a key.
  package func get(_ key: BlobKey, limit: Int) throws(BlobStoreError) -> [UInt8]? {
    var request = request("GET", address(of: key))
    request.limit = limit
    let answer = try answer(to: request, .get, key.text)
    guard answer.status != 404 else { return nil }
    try verify(answer.digest, key)
    return answer.body
  }

  /// Reads what is under a key into a file.
  package func get(_ key: BlobKey, to path: String, limit: Int) throws(BlobStoreError) -> Bool {
    var request = request("GET", address(of: key))
    request.limit = limit
    request.target = path
    request.stallSeconds = options.stallSeconds
    do throws(BlobStoreError) {
      let answer = try answer(to: request, .get, key.text)
      if answer.status == 404 {
        unlink(path)
        return false
      }
      try verify(answer.digest, key)
      return true
    } catch {
      unlink(path)
      throw error
    }
  }

  /// Reads the size of what is under a key.
  package func size(of key: BlobKey) throws(BlobStoreError) -> Int? {
    let answer = try answer(to: request("HEAD", address(of: key)), .get, key.text)
    return answer.status == 404 ? nil : answer.length
  }

  /// Deletes what is under a key.
  package func delete(_ key: BlobKey) throws(BlobStoreError) {
    _ = try answer(to: request("DELETE", address(of: key)), .delete, key.text)
  }

  /// Lists a page of the keys of a group.
  package func list(
    _ group: BlobKey.Group,
    after key: BlobKey?
  ) throws(BlobStoreError) -> [BlobListing] {
    try list(group.rawValue + "/", after: key)
  }

  /// Lists the rendered pages of a book.
  package func listPages(of digest: [UInt8]) throws(BlobStoreError) -> [BlobListing] {
    try list("pages/" + Hexadecimal.text(digest) + "/", after: nil)
  }

  /// Lists blobs; an answer can contain less than the maximum, so several are joined.
  private func list(
    _ group: String,
    after key: BlobKey?
  ) throws(BlobStoreError) -> [BlobListing] {
    var found: [BlobListing] = []
    var last = key.map { whole($0.text) }
    while found.count < BlobListing.max {
      // The signature requires the parameters in the order of their names.
      var query = "list-type=2&max-keys=\(BlobListing.max)&prefix=" + Self.escaped(whole(group))
      if let last { query += "&start-after=" + Self.escaped(last) }
      var request = request("GET", "\(options.endpoint)/\(options.bucket)?\(query)")
      request.limit = Self.textMax
      let answer = try answer(to: request, .list, group)
      guard answer.status != 404, let page = S3Listing(xml: answer.body) else {
        let text = answer.status == 404 ? "there is no such bucket" : "the list cannot be parsed"
        throw error(.list, group, .failed(text))
      }
      for entry in page.entries {
        guard let key = BlobKey(String(entry.key.dropFirst(whole("").utf8.count))) else { continue }
        found.append(BlobListing(key: key, size: entry.size, tag: entry.tag))
      }
      guard page.isTruncated, let next = page.entries.last?.key, next != last else { break }
      last = next
    }
    return Array(found.prefix(BlobListing.max))
  }

  // MARK: Requests

  /// Returns the key with the prefix of the store.
  private func whole(_ key: String) -> String {
    options.prefix.isEmpty ? key : options.prefix + "/" + key
  }

  private func address(of key: BlobKey) -> String {
    "\(options.endpoint)/\(options.bucket)/\(whole(key.text))"
  }

  private static func escaped(_ text: String) -> String {
    text.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "%2F")
  }

  private func request(_ method: String, _ url: String, digest: String? = nil) -> CurlRequest {
    var request = CurlRequest(method: method, url: url)
    request.connectSeconds = options.connectSeconds
    request.stallSeconds = options.answerSeconds
    if let credentials = options.credentials {
      request.signature = "aws:amz:\(options.region):s3"
      request.credentials = "\(credentials.keyID):\(credentials.secret)"
      request.headers.append("x-amz-content-sha256: \(digest ?? Self.emptyDigest)")
      if !credentials.token.isEmpty {
        request.headers.append("x-amz-security-token: \(credentials.token)")
      }
    }
    return request
  }

  /// Sends a request, again after failures that may pass; status 404 is an answer, not a failure.
  ///
  /// A store that accepts a connection and is silent would only take the same time again.
  private func answer(
    to request: CurlRequest,
    _ operation: BlobStoreError.Operation,
    _ key: String
  ) throws(BlobStoreError) -> CurlAnswer {
    var attempt = 1
    while true {
      let reason: BlobStoreError.Reason
      var isPassing = false
      do throws(CurlError) {
        let answer = try sessions.perform(request)
        if 200..<300 ~= answer.status || answer.status == 404 && !answer.isMissingBucket {
          return answer
        }
        isPassing = answer.status >= 500 || answer.status == 429
        reason = answer.reason
      } catch {
        switch error {
        case .tooLarge: reason = .tooLarge(limit: request.limit)
        case .localFile(let text): reason = .localFile(text)
        case .timedOut(let text): reason = .unreachable(text)
        case .transfer(let text):
          isPassing = true
          reason = .unreachable(text)
        }
      }
      guard isPassing, attempt < options.attempts else {
        throw error(operation, key, reason)
      }
      // 0.2 s, 0.4 s and so on.
      usleep(100_000 << UInt32(min(attempt, 5)))
      attempt += 1
    }
  }

  private func verify(_ digest: [UInt8], _ key: BlobKey) throws(BlobStoreError) {
    guard let expected = key.contentDigest, expected != Hexadecimal.text(digest) else { return }
    throw error(.get, key, .damaged("its content is not the one that its key names"))
  }

  private func error(
    _ operation: BlobStoreError.Operation,
    _ key: some CustomStringConvertible,
    _ reason: BlobStoreError.Reason
  ) -> BlobStoreError {
    BlobStoreError(operation, "\(key)", location, reason)
  }
}

extension CurlAnswer {
  /// Whether the answer says that there is no such bucket, and not only no such key.
  fileprivate var isMissingBucket: Bool {
    status == 404 && S3Listing.text("Code", in: body) == "NoSuchBucket"
  }

  /// The reason of a failure, with the words of the server.
  fileprivate var reason: BlobStoreError.Reason {
    let code = S3Listing.text("Code", in: body) ?? ""
    let message = S3Listing.text("Message", in: body) ?? ""
    let words = [code, message].filter { !$0.isEmpty }.joined(separator: ": ")
    let text = "it answered with status \(status)" + (words.isEmpty ? "" : " (\(words))")
    switch status {
    case 401, 403: return .denied(text)
    case 507: return .full(text)
    case 429, 500...: return .unreachable(text)
    default: return .failed(text)
    }
  }
}

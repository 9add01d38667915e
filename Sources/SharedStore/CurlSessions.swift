internal import CCurl
internal import Glibc
internal import Synchronization

/// Connections to an HTTP server, reused by later requests on any thread.
final class CurlSessions: @unchecked Sendable {
  // Unchecked Sendable: a session is lent to one thread at a time, under the lock.
  private let lock = Mutex(())
  private var idle: [UnsafeMutableRawPointer] = []
  private static let idleMax = 8
  /// Initialises libcurl once, because that is not safe on several threads.
  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  deinit { for session in idle { curl_easy_cleanup(session) } }

  /// Sends a request and waits for its answer.
  func perform(_ request: CurlRequest) throws(CurlError) -> CurlAnswer {
    guard Self.isReady, let session = lend() else { throw .transfer("libcurl cannot start") }
    defer { giveBack(session) }
    let transfer = try CurlTransfer(request)
    return try transfer.perform(on: session)
  }

  private func lend() -> UnsafeMutableRawPointer? {
    lock.withLock { _ in idle.popLast() } ?? curl_easy_init()
  }

  private func giveBack(_ session: UnsafeMutableRawPointer) {
    // Keeps the connection and forgets all options, among them pointers to this request.
    curl_easy_reset(session)
    let isKept = lock.withLock { _ in
      guard idle.count < Self.idleMax else { return false }
      idle.append(session)
      return true
    }
    if !isKept { curl_easy_cleanup(session) }
  }
}

/// A request in progress: the source of its body and the sink of its answer.
private final class CurlTransfer {
  private let request: CurlRequest
  private var answer = CurlAnswer()
  private let digest = ContentDigest()
  private var received = 0
  private var failure: CurlError?
  private var input: LocalFile?
  private var output: LocalFile?
  private var sent = 0
  private var status = 0

  /// The limit of the body of a failure, in bytes.
  private static let failureMax = 1 << 16

  init(_ request: CurlRequest) throws(CurlError) {
    self.request = request
    if case .file(let path) = request.source {
      do throws(LocalFile.Failure) { input = try LocalFile(reading: path) } catch {
        throw .localFile(error.text)
      }
    }
  }

  func perform(on session: UnsafeMutableRawPointer) throws(CurlError) -> CurlAnswer {
    var list: UnsafeMutablePointer<curl_slist>?
    defer { curl_slist_free_all(list) }
    for header in request.headers {
      guard let longer = curl_slist_append(list, header) else { throw .transfer("no memory") }
      list = longer
    }
    let context = Unmanaged.passUnretained(self).toOpaque()
    var message = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE) + 1)
    let code = message.withUnsafeMutableBufferPointer { buffer -> CURLcode in
      configure(session, list, context)
      if let start = buffer.baseAddress {
        _ = lectern_curl_set_text(session, CURLOPT_ERRORBUFFER, start)
      }
      // The callbacks use this object only during this call.
      return withExtendedLifetime(self) { curl_easy_perform(session) }
    }
    if let failure { throw failure }
    if hasUpgraded {
      answer.status = 101
      return answer
    }
    guard code == CURLE_OK else {
      let words = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      let text = String(decoding: words, as: UTF8.self)
      let reason = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
      throw code == CURLE_OPERATION_TIMEDOUT ? .timedOut(reason) : .transfer(reason)
    }
    answer.status = lectern_curl_status(session)
    if 200..<300 ~= answer.status, let output {
      do throws(LocalFile.Failure) { try output.sync() } catch {
        throw .localFile(error.text)
      }
    }
    answer.digest = digest.finished()
    return answer
  }

  private func configure(
    _ session: UnsafeMutableRawPointer,
    _ headers: UnsafeMutablePointer<curl_slist>?,
    _ context: UnsafeMutableRawPointer
  ) {
    func set(_ option: CURLoption, _ value: Int) {
      _ = lectern_curl_set_long(session, option, value)
    }
    func set(_ option: CURLoption, _ value: String) {
      _ = lectern_curl_set_text(session, option, value)
    }
    set(CURLOPT_URL, request.url)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_CONNECTTIMEOUT, request.connectSeconds)
    set(CURLOPT_LOW_SPEED_LIMIT, 1)
    set(CURLOPT_LOW_SPEED_TIME, request.stallSeconds)
    // Libcurl signs an empty "Expect:" but does not send it, so that header stays; a server that
    // does not answer it delays a large body by this time.
    set(CURLOPT_EXPECT_100_TIMEOUT_MS, 200)
    // The path is signed as it is, so it must also be sent as it is.
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_USERAGENT, "lectern")
    if !request.signature.isEmpty {
      set(CURLOPT_AWS_SIGV4, request.signature)
      set(CURLOPT_USERPWD, request.credentials)
    }
    _ = lectern_curl_set_headers(session, headers)
    switch request.method {
    case "HEAD": set(CURLOPT_NOBODY, 1)
    case "PUT":
      set(CURLOPT_UPLOAD, 1)
      _ = lectern_curl_set_size(session, CURLOPT_INFILESIZE_LARGE, curl_off_t(request.sourceSize))
      _ = lectern_curl_set_source(session, readBody, seekBody, context)
    case "GET": set(CURLOPT_HTTPGET, 1)
    default:
      set(CURLOPT_HTTPGET, 1)
      set(CURLOPT_CUSTOMREQUEST, request.method)
    }
    _ = lectern_curl_set_sink(session, writeBody, writeHeader, context)
  }

  // MARK: Callbacks

  /// Copies the next bytes of the body to send; nil after a failure.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    switch request.source {
    case .none: return 0
    case .bytes(let bytes):
      let count = min(buffer.count, bytes.count - sent)
      buffer.copyBytes(from: bytes[sent..<sent + count])
      sent += count
      return count
    case .file(let path):
      guard let input else { return nil }
      let count = LocalFile.again {
        Int32(clamping: Glibc.read(input.descriptor, buffer.baseAddress, buffer.count))
      }
      guard count >= 0 else {
        failure = .localFile(LocalFile.Failure(path: path, code: errno).text)
        return nil
      }
      return Int(count)
    }
  }

  /// Goes back to a position in the body, to send it again.
  func seek(to offset: Int) -> Bool {
    switch request.source {
    case .none: return offset == 0
    case .bytes(let bytes):
      guard 0...bytes.count ~= offset else { return false }
      sent = offset
      return true
    case .file: return input.map { lseek($0.descriptor, offset, SEEK_SET) == offset } ?? false
    }
  }

  private var hasUpgraded: Bool { status == 101 && request.endsAtUpgrade }

  /// Takes a line of the header; returns whether the transfer continues.
  func receive(header line: String) -> Bool {
    if line.hasPrefix("HTTP/") {
      // A further response follows one with a status like 100.
      status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      answer.length = nil
    }
    let parts = line.split(separator: ":", maxSplits: 1)
    if parts.count == 2, parts[0].lowercased() == "content-length" {
      answer.length = Int(parts[1].filter { !$0.isWhitespace })
    }
    return !hasUpgraded
  }

  /// Takes bytes of the answer; returns whether the transfer continues.
  func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
    guard 200..<300 ~= status else {
      answer.body += bytes.prefix(Self.failureMax - answer.body.count)
      return true
    }
    received += bytes.count
    guard received <= request.limit else {
      failure = .tooLarge
      return false
    }
    digest.update(bytes)
    guard let path = request.target else {
      answer.body += bytes
      return true
    }
    do throws(LocalFile.Failure) {
      if output == nil {
        // What an earlier attempt received is incomplete.
        unlink(path)
        output = try LocalFile(creating: path)
      }
      try output?.write(bytes)
      return true
    } catch {
      failure = .localFile(error.text)
      return false
    }
  }
}

private func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
  context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
}

private func readBody(
  _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: Int,
  _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  let space = UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
  return transfer(context)?.read(into: space) ?? Int(CURL_READFUNC_ABORT)
}

private func seekBody(
  _ context: UnsafeMutableRawPointer?,
  _ offset: curl_off_t,
  _ origin: Int32
) -> Int32 {
  guard origin == SEEK_SET, transfer(context)?.seek(to: Int(offset)) == true else {
    return CURL_SEEKFUNC_FAIL
  }
  return CURL_SEEKFUNC_OK
}

private func writeBody(
  _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: Int,
  _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  let bytes = UnsafeRawBufferPointer(start: buffer, count: size * count)
  return transfer(context)?.receive(body: bytes) == true ? bytes.count : 0
}

private func writeHeader(
  _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: Int,
  _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  let bytes = UnsafeRawBufferPointer(start: buffer, count: size * count)
  let text = String(decoding: bytes, as: UTF8.self)
  return transfer(context)?.receive(header: text) == true ? bytes.count : 0
}

internal import CNATS
internal import Fabric
internal import Foundation
internal import Synchronization

/// The buckets of records, each of which is a stream with one message per key.
///
/// The streams are laid out as the key-value buckets of NATS, so that its own tools can read them.
/// Every call blocks until the servers have answered, for a limited time.
final class RecordStore: Sendable {
  /// How long to wait for the answer to a request, in milliseconds.
  static let waitMilliseconds: Int64 = 800
  /// The shortest time between two looks at a stream that might have been created anew, in seconds.
  private static let reviewSeconds = 1.0

  private struct Stream {
    /// What is added to a sequence number to make a revision; nil if it must be looked up.
    ///
    /// It is the time at which the stream was created, in units of 2^-32 seconds. Revisions thus
    /// grow even if the stream is created anew, because it never has 2^32 messages per second.
    var base: UInt64?
    var checkedAt = -Double.infinity
  }

  private let options: NATSOptions
  private let streams = Mutex<[Bucket: Stream]>([:])
  let js: JetStream

  init(
    _ connection: NATSConnection,
    _ options: NATSOptions,
    _ waitMilliseconds: Int64
  ) throws(Failure) {
    self.options = options
    js = try JetStream(connection, waitMilliseconds: waitMilliseconds)
  }

  private func name(_ bucket: Bucket) -> String { "\(options.bucketPrefix)_\(bucket.rawValue)" }
  private func stream(_ bucket: Bucket) -> String { "KV_" + name(bucket) }
  private func prefix(_ bucket: Bucket) -> String { "$KV.\(name(bucket))." }

  // MARK: - Buckets

  /// Creates a bucket unless it exists, and checks that it is as needed.
  func prepare(_ bucket: Bucket) throws(Failure) {
    let stream = stream(bucket)
    do {
      try js.create(stream, subject: prefix(bucket) + ">", bucket, replicas: options.replicas ?? 3)
    } catch {
      switch error.code {
      case Code.nameExists: break
      case Code.replicasNotSupported where options.replicas == nil:
        // A single server, which is not part of a cluster.
        do {
          try js.create(stream, subject: prefix(bucket) + ">", bucket, replicas: 1)
        } catch {
          guard error.code == Code.nameExists else { throw error }
        }
      default: throw error
      }
    }
    try look(at: bucket)
  }

  /// Returns what is wrong with a bucket, or nil.
  func fault(of bucket: Bucket) throws(Failure) -> String? {
    let facts = try js.facts(stream(bucket))
    let lifetime = Int64(bucket.lifetimeSeconds ?? 0) * 1_000_000_000
    if facts.subjects != [prefix(bucket) + ">"] {
      return "its subjects are \(facts.subjects.joined(separator: ", ")), not \(prefix(bucket))>"
    }
    if !facts.retainsOne { return "it does not keep exactly one revision of each record" }
    if facts.lifetimeNanoseconds != lifetime {
      return "its records live for \(facts.lifetimeNanoseconds / 1_000_000_000) s, not"
        + " \(lifetime / 1_000_000_000) s (0 means for good)"
    }
    if let replicas = options.replicas, facts.replicas != replicas {
      return "it has \(facts.replicas) replicas, not \(replicas)"
    }
    return nil
  }

  /// The name of the server that leads a bucket's stream, if it is one of several.
  func leader(of bucket: Bucket) throws(Failure) -> String? { try js.facts(stream(bucket)).leader }

  /// The name of a bucket's stream, for messages.
  func streamName(_ bucket: Bucket) -> String { stream(bucket) }

  /// Looks at all streams again before their next use, because they might be others now.
  func forget() { streams.withLock { $0 = [:] } }

  private func look(at bucket: Bucket) throws(Failure) {
    let facts = try js.facts(stream(bucket))
    let now = ProcessInfo.processInfo.systemUptime
    streams.withLock {
      $0[bucket] = Stream(base: Self.base(facts.createdNanoseconds), checkedAt: now)
    }
  }

  private static func base(_ createdNanoseconds: UInt64) -> UInt64 {
    let (seconds, rest) = createdNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return seconds << 32 | (rest << 32) / 1_000_000_000
  }

  private func base(_ bucket: Bucket) throws(Failure) -> UInt64 {
    if let base = streams.withLock({ $0[bucket]?.base }) { return base }
    try review(bucket)
    return streams.withLock { $0[bucket]?.base ?? 0 }
  }

  private func review(_ bucket: Bucket) throws(Failure) {
    do {
      try look(at: bucket)
    } catch {
      guard error.code == Code.streamNotFound else { throw error }
      try prepare(bucket)
    }
  }

  /// Looks at a stream again soon, but not too often, because an answer was unexpected.
  private func suspect(_ bucket: Bucket) {
    let now = ProcessInfo.processInfo.systemUptime
    streams.withLock { streams in
      guard let stream = streams[bucket], now > stream.checkedAt + Self.reviewSeconds else {
        return
      }
      streams[bucket] = nil
    }
  }

  // MARK: - Records

  func read(_ bucket: Bucket, _ key: String) -> Result<Record?, RecordFailure> {
    attempt(bucket, key) { base, subject throws(Failure) in
      let message = try js.last(stream(bucket), subject)
      guard let message, !message.isMarker else { return nil }
      return Record(value: message.bytes, revision: base &+ message.sequence)
    }
  }

  func write(
    _ bucket: Bucket,
    _ key: String,
    _ value: [UInt8],
    after condition: WriteCondition
  ) -> Result<UInt64, RecordFailure> {
    guard value.count <= bucket.valueBytesMax else {
      let text = "\(value.count) bytes are too many for \(bucket.rawValue): \(bucket.valueBytesMax)"
      return .failure(.refused(text))
    }
    return attempt(bucket, key) { base, subject throws(Failure) in
      let wait = Self.waitMilliseconds
      var last: UInt64?
      switch condition {
      case .any: break
      case .absent: last = 0
      case .revision(let revision):
        guard revision > base, revision - base < 1 << 62 else { throw .conflict }
        last = revision - base
      }
      do throws(Failure) {
        return base &+ (try js.publish(subject, value, last: last, waitMilliseconds: wait))
      } catch {
        guard condition == .absent, Code.conflicts.contains(error.code),
          let message = try js.last(stream(bucket), subject), message.isMarker
        else { throw error }
        // Another tool deleted the record, which left a marker.
        let after = message.sequence
        return base &+ (try js.publish(subject, value, last: after, waitMilliseconds: wait))
      }
    }
  }

  func delete(
    _ bucket: Bucket,
    _ key: String,
    after condition: WriteCondition
  ) -> Result<Void, RecordFailure> {
    attempt(bucket, key) { base, subject throws(Failure) in
      switch condition {
      case .absent: if try js.last(stream(bucket), subject) != nil { throw .conflict }
      case .revision(let revision):
        guard revision > base, revision - base < 1 << 62 else { throw .conflict }
        // Only the latest message of a key is kept, so its number can only be that of the record.
        try js.delete(stream(bucket), revision - base)
      case .any:
        guard let message = try js.last(stream(bucket), subject) else { return }
        try js.delete(stream(bucket), message.sequence)
      }
    }
  }

  /// Makes a request and translates its failures.
  private func attempt<Value>(
    _ bucket: Bucket,
    _ key: String,
    _ work: (_ base: UInt64, _ subject: String) throws(Failure) -> Value
  ) -> Result<Value, RecordFailure> {
    guard let token = RecordKey.token(key) else {
      return .failure(
        .refused("the key '\(key)' is empty or longer than \(RecordKey.bytesMax) bytes")
      )
    }
    let base: UInt64
    do { base = try self.base(bucket) } catch {
      // Nothing was requested yet.
      return .failure(.unavailable(error.text))
    }
    do {
      return .success(try work(base, prefix(bucket) + token))
    } catch {
      suspect(bucket)
      return .failure(error.recordFailure)
    }
  }
}

/// Numbers of errors that the servers report.
enum Code {
  static let conflicts = [10071, 10164]
  static let nameExists = 10058
  static let streamNotFound = 10059
  static let replicasNotSupported = 10074
  static let noStorage = [10039, 10076]
  /// The message to delete is not there (any more).
  static let gone = [10037, 10043, 10057]
  static let tooLarge = 10054
  /// Too few servers are running, or none of them has room.
  static let noPeers = [10004, 10005, 10008, 10009, 10023]
}

extension Failure {
  /// The failure of a request whose condition cannot be met.
  static let conflict = Failure(conflict: 10071)

  private init(conflict code: Int) {
    (status, self.code, text) = (NATS_ERR, code, "the record has another revision")
  }

  /// What the failure means for a record.
  var recordFailure: RecordFailure {
    if Code.conflicts.contains(code) || Code.gone.contains(code) { return .conflict }
    if code == Code.tooLarge { return .refused(text) }
    if code != 0 { return .unavailable("\(text) (\(code))") }
    switch status {
    case NATS_NO_RESPONDERS: return .unavailable("no server stores the records at the moment")
    case NATS_INSUFFICIENT_BUFFER: return .unavailable("not connected")
    case NATS_MAX_PAYLOAD, NATS_INVALID_ARG, NATS_INVALID_SUBJECT: return .refused(text)
    case NATS_TIMEOUT: return .unknown("no answer within \(RecordStore.waitMilliseconds) ms")
    default: return .unknown(text)
    }
  }
}

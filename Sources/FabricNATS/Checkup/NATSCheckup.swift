internal import CNATS
package import Fabric
internal import Foundation

/// A connection to NATS that only inspects it, to find faults.
///
/// It creates nothing that remains.
package final class NATSCheckup: Sendable {
  /// The state of a bucket.
  package struct State: Equatable, Sendable {
    /// The name of the bucket's stream.
    package var stream: String
    /// The number of servers that should store it.
    package var replicas: Int
    /// The server that leads it; nil if there is none, or only one server.
    package var leader: String?
    /// The servers that do not have everything that the leader has, and what each lacks.
    package var late: [String]
    /// What makes the bucket unusable; nil if it is as it must be.
    package var fault: String?
  }

  /// The result of writing, reading and deleting a record.
  package struct Trial: Equatable, Sendable {
    /// The time from the request to write it to the answer, in seconds.
    package var seconds: Double
    /// How far the wall clock of the server that stored it is ahead of this machine's, in seconds;
    /// uncertain by half of ``seconds``.
    package var clockSeconds: Double
    /// Whether the record was read as it was written.
    package var isIntact: Bool
  }

  private let options: NATSOptions
  private let connection: NATSConnection
  private let js: JetStream

  /// Connects; blocks for some seconds at most.
  /// - Throws: What is wrong and what to do.
  package init(_ options: NATSOptions) throws(NATSError) {
    try options.validate()
    self.options = options
    connection = try NATSConnection(options, name: "lectern doctor") { _ in }
    do { js = try JetStream(connection, waitMilliseconds: 3000) } catch {
      throw NATSError(.other, "NATS cannot be used: \(error.text)")
    }
  }

  deinit { connection.close() }

  /// The addresses in the options, one by one.
  package static func addresses(of options: NATSOptions) -> [String] { options.list }

  /// Returns an address without user and password.
  package static func shown(_ address: String) -> String { NATSOptions.shown(address) }

  /// Measures the time of a message to the server and back, in seconds.
  package func roundTripSeconds() throws(NATSError) -> Double {
    do { return try connection.roundTripSeconds() } catch {
      throw NATSError(.other, "the connection to NATS broke (\(error.text)); try again")
    }
  }

  /// Returns the state of a bucket; nil if it does not exist yet.
  package func state(of bucket: Bucket) throws(NATSError) -> State? {
    let stream = stream(bucket)
    do {
      let store = try RecordStore(connection, options)
      let facts = try js.facts(stream)
      return State(
        stream: stream,
        replicas: facts.replicas,
        leader: facts.leader,
        late: try js.lateReplicas(stream),
        fault: try store.fault(of: bucket)
      )
    } catch {
      if error.code == Code.streamNotFound { return nil }
      throw explain(error, stream)
    }
  }

  /// Creates a stream with the number of replicas in the options, and deletes it at once.
  ///
  /// Does nothing without such a number, or without the permission to create a stream of another
  /// name than those of the buckets.
  /// - Throws: Why the servers cannot keep so many replicas, and what to do.
  package func tryReplicas() throws(NATSError) {
    guard let replicas = options.replicas else { return }
    let name = "\(options.bucketPrefix)_doctor_\(UInt64.random(in: 0...UInt64.max))"
    do {
      try js.create("KV_" + name, subject: "$KV.\(name).>", .nodes, replicas: replicas)
      try js.delete(stream: "KV_" + name)
    } catch {
      guard Code.noPeers.contains(error.code) || error.code == Code.replicasNotSupported else {
        return
      }
      let store: RecordStore
      do { store = try RecordStore(connection, options) } catch { throw explain(error, name) }
      throw BucketSetup(store, connection, options).explain(error, .nodes)
    }
  }

  /// Writes, reads and deletes a record of its own in a bucket that exists.
  package func trial(in bucket: Bucket) throws(NATSError) -> Trial {
    let stream = stream(bucket)
    let key = RecordKey.token("doctor-\(UInt64.random(in: 0...UInt64.max))") ?? "doctor"
    let subject = "$KV.\(options.bucketPrefix)_\(bucket.rawValue).\(key)"
    let value = Array("lectern doctor".utf8)
    do {
      let wall = Date().timeIntervalSince1970
      let began = ProcessInfo.processInfo.systemUptime
      let sequence = try js.publish(subject, value, last: nil, waitMilliseconds: 3000)
      let seconds = ProcessInfo.processInfo.systemUptime - began
      let (found, storedAt) = try js.lastWithTime(stream, subject)
      try js.delete(stream, sequence)
      return Trial(
        seconds: seconds,
        clockSeconds: storedAt - (wall + seconds / 2),
        isIntact: found == value
      )
    } catch { throw explain(error, stream) }
  }

  private func stream(_ bucket: Bucket) -> String {
    "KV_\(options.bucketPrefix)_\(bucket.rawValue)"
  }

  private func explain(_ failure: Failure, _ stream: String) -> NATSError {
    let error = connection.lastError
    if error.lowercased().contains("permissions violation") {
      return NATSError(.permission, "\(error); permit it to the user, for the stream \(stream)")
    }
    if Code.noStorage.contains(failure.code) {
      return NATSError(
        .noStorage,
        "the servers store no records (\(failure.text)); add 'jetstream {}' to their configuration"
      )
    }
    let noAnswer = [NATS_TIMEOUT, NATS_NO_RESPONDERS].contains(failure.status)
    if noAnswer || Code.noPeers.contains(failure.code) {
      return NATSError(
        .noQuorum,
        "no server answers for the stream \(stream) (\(failure.text)); start more of the servers"
          + " with JetStream, because more than half of them must run"
      )
    }
    return NATSError(.other, "the stream \(stream) cannot be used: \(failure.text)")
  }
}

internal import CNATS
package import Fabric
internal import Foundation

/// The link that a bus uses, which is only inspected here, to find faults.
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
  private let link: NATSLink
  private var js: JetStream { link.store.js }

  /// Connects; blocks for some seconds at most.
  /// - Throws: What is wrong and what to do.
  package init(_ options: NATSOptions) throws(NATSError) {
    try options.validate()
    self.options = options
    link = try NATSLink(options, name: "lectern doctor", waitMilliseconds: 3000) { _ in }
  }

  deinit { link.connection.close() }

  /// The addresses in the options, one by one.
  package static func addresses(of options: NATSOptions) -> [String] { options.list }

  /// Returns an address without user and password.
  package static func shown(_ address: String) -> String { NATSOptions.shown(address) }

  /// Measures the time of a message to the server and back, in seconds.
  package func roundTripSeconds() throws(NATSError) -> Double {
    var nanoseconds: Int64 = 0
    do {
      try check(natsConnection_GetRTT(link.connection.pointer, &nanoseconds))
      return Double(nanoseconds) / 1e9
    } catch {
      throw NATSError(.other, "the connection to NATS broke (\(error.text)); try again")
    }
  }

  /// Returns the state of a bucket; nil if it does not exist yet.
  package func state(of bucket: Bucket) throws(NATSError) -> State? {
    let stream = link.store.streamName(bucket)
    do {
      let facts = try js.facts(stream)
      return State(
        stream: stream,
        replicas: facts.replicas,
        leader: facts.leader,
        late: facts.late,
        fault: try link.store.fault(of: bucket)
      )
    } catch {
      if error.code == Code.streamNotFound { return nil }
      throw link.explain(error, bucket)
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
      var code = jsErrCode(0)
      try check(js_DeleteStream(js.pointer, "KV_" + name, nil, &code), code)
    } catch {
      guard Code.noPeers.contains(error.code) || error.code == Code.replicasNotSupported else {
        return
      }
      throw link.explain(error, .nodes)
    }
  }

  /// Writes, reads and deletes a record of its own in a bucket that exists.
  package func trial(in bucket: Bucket) throws(NATSError) -> Trial {
    let stream = link.store.streamName(bucket)
    let key = RecordKey.token("doctor-\(UInt64.random(in: 0...UInt64.max))") ?? "doctor"
    let subject = "$KV.\(options.bucketPrefix)_\(bucket.rawValue).\(key)"
    let value = Array("lectern doctor".utf8)
    do {
      let wall = Date().timeIntervalSince1970
      let began = ProcessInfo.processInfo.systemUptime
      let sequence = try js.publish(subject, value, last: nil, waitMilliseconds: 3000)
      let seconds = ProcessInfo.processInfo.systemUptime - began
      let found = try js.last(stream, subject)
      try js.delete(stream, sequence)
      return Trial(
        seconds: seconds,
        clockSeconds: (found?.time ?? wall) - (wall + seconds / 2),
        isIntact: found?.bytes == value
      )
    } catch { throw link.explain(error, bucket) }
  }
}

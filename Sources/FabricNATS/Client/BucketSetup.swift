internal import CNATS
internal import Fabric
internal import Foundation

/// Creates the buckets at the start, and explains why that is not possible.
struct BucketSetup {
  private let store: RecordStore
  private let connection: NATSConnection
  private let options: NATSOptions

  init(_ store: RecordStore, _ connection: NATSConnection, _ options: NATSOptions) {
    (self.store, self.connection, self.options) = (store, connection, options)
  }

  /// Creates all buckets unless they exist.
  ///
  /// Servers that have just been started need a while until
  /// they have a quorum, so failures are tried again for a limited time.
  func run() throws(NATSError) {
    let end = ProcessInfo.processInfo.systemUptime + options.patienceSeconds
    for bucket in Bucket.allCases {
      while true {
        do {
          try store.prepare(bucket)
          if let fault = try store.fault(of: bucket) { throw unfit(bucket, fault) }
          break
        } catch let error as NATSError {
          throw error
        } catch {
          let failure = error as? Failure ?? Failure(NATS_ERR)
          guard mayPass(failure), ProcessInfo.processInfo.systemUptime < end else {
            throw explain(failure, bucket)
          }
          Thread.sleep(forTimeInterval: 0.2)
        }
      }
    }
  }

  private var permissionError: String? {
    let text = connection.lastError
    return text.lowercased().contains("permissions violation") ? text : nil
  }

  private func mayPass(_ failure: Failure) -> Bool {
    guard permissionError == nil else { return false }
    return failure.code == 0 || Code.noPeers.contains(failure.code)
  }

  private func unfit(_ bucket: Bucket, _ fault: String) -> NATSError {
    NATSError(
      .bucket,
      "The stream \(store.streamName(bucket)) of NATS cannot be used: \(fault); correct it with"
        + " 'nats stream edit', or choose another prefix than '\(options.prefix)'"
    )
  }

  /// Explains why a bucket cannot be created.
  func explain(_ failure: Failure, _ bucket: Bucket) -> NATSError {
    let servers = options.shownAddresses
    if let text = permissionError {
      return NATSError(
        .permission,
        "NATS at \(servers) does not permit what is needed for the stream"
          + " \(store.streamName(bucket)): \(text); permit it to the user"
      )
    }
    if Code.noStorage.contains(failure.code) {
      return NATSError(
        .noStorage,
        "NATS at \(servers) has no JetStream (\(failure.text)); add 'jetstream {}' to the"
          + " configuration of the servers"
      )
    }
    switch failure.status {
    case _ where failure.code == Code.replicasNotSupported:
      return NATSError(
        .noQuorum,
        "NATS at \(servers) is a single server, which cannot keep \(options.replicas ?? 3)"
          + " replicas; start a cluster of servers, or leave out the number of replicas"
      )
    case _ where Code.noPeers.contains(failure.code):
      return NATSError(
        .noQuorum,
        "NATS at \(servers) has too few servers for \(options.replicas ?? 3) replicas"
          + " (\(failure.text)); start the others"
      )
    case NATS_NO_RESPONDERS, NATS_TIMEOUT:
      return NATSError(
        .noStorage,
        "NATS at \(servers) does not answer requests to JetStream (\(failure.text)); enable it with"
          + " 'jetstream {}', and start so many of its servers that more than half are running"
      )
    default:
      return NATSError(
        .other,
        "NATS at \(servers) cannot create the stream \(store.streamName(bucket)):"
          + " \(failure.text) (\(failure.code))"
      )
    }
  }
}

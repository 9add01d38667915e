internal import Clustering
internal import Fabric
internal import FabricNATS
internal import Foundation
internal import Server
internal import Telemetry

/// The options with which a process becomes a node of a cluster.
struct ClusterOptions {
  let nats: NATSOptions

  /// Takes the options out of arguments; nil if the process is to be alone.
  static func parse(
    from arguments: inout Arguments
  ) throws(CommandError) -> ClusterOptions? {
    let addresses = try arguments.value("--nats")
    var nats = NATSOptions(addresses: addresses ?? "")
    let file = try arguments.value("--nats-credentials")
    let user = try arguments.value("--nats-user")
    let password = try KeySource("--nats-password").parse(from: &arguments)
    if let file {
      nats.credentials = .file(file)
    } else if let user {
      guard let password else { throw .usage("--nats-user needs --nats-password-file FILE") }
      nats.credentials = .password(user: user, password: password.text)
    }
    var tls = NATSOptions.TLS()
    tls.authorities = try arguments.value("--nats-ca")
    tls.certificate = try arguments.value("--nats-certificate")
    tls.key = try arguments.value("--nats-key")
    if tls != NATSOptions.TLS() || asksForTLS(addresses ?? "") { nats.tls = tls }
    nats.prefix = try arguments.value("--nats-prefix") ?? nats.prefix
    if let replicas = try arguments.value("--nats-replicas") {
      guard let number = Int(replicas), [1, 3, 5].contains(number) else {
        throw .usage(
          "\(arguments.label("--nats-replicas")) is \"\(replicas)\", but must be 1, 3 or 5"
        )
      }
      nats.replicas = number
    }
    guard addresses != nil else {
      guard file == nil, user == nil, nats.tls == nil else {
        throw .usage("the other --nats options need --nats URL")
      }
      return nil
    }
    return ClusterOptions(nats: nats)
  }

  /// Whether an address asks for TLS.
  ///
  /// The client library ignores the scheme, and would connect without encryption.
  private static func asksForTLS(_ addresses: String) -> Bool {
    addresses.split(separator: ",").contains {
      $0.trimmingCharacters(in: .whitespaces).lowercased().hasPrefix("tls://")
    }
  }

  /// Returns what a process lacks to be a node of a cluster, and what to add; nil if nothing.
  ///
  /// The identities of books, and the records of rooms and bookmarks, are those of the store. Nodes
  /// without one would give the same books different identities, and lose rooms that NATS forgets.
  static func lack(
    _ cluster: ClusterOptions?,
    _ storage: ReadingServer.Options.Storage
  ) -> String? {
    guard cluster != nil, storage.store == nil else { return nil }
    return "--nats needs --store PLACE, a folder or a bucket that all processes share: it keeps"
      + " books, rooms and bookmarks"
  }

  /// Connects to the servers as a new node; blocks for some seconds at most.
  func connect(_ log: Log) throws(CommandError) -> any ClusterBus {
    var nats = nats
    nats.report = { reason in
      log.warning(
        .clusterFault,
        "NATS reported a problem.",
        ["reason": .text(reason)],
        collapsing: "nats"
      )
    }
    do throws(NATSError) {
      return try NATSBus(nats, node: NodeID(UInt64.random(in: 1...UInt64.max)))
    } catch { throw .failed("\(error)") }
  }
}

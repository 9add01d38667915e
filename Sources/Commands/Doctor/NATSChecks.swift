internal import Fabric
internal import FabricNATS
internal import Foundation

/// Whether the NATS servers of a cluster can be used.
struct NATSChecks {
  /// The oldest version without known faults.
  private static let goodRelease = (major: 2, minor: 11)
  /// Frames of rooms go through NATS, so that a round trip must be short, in seconds.
  private static let roundTripMax = 0.02
  private static let clockMax = 1.0
  /// How early the end of a certificate is announced, in seconds.
  private static let expirySoon = 30 * 86_400.0

  private let options: NATSOptions

  init(_ options: NATSOptions) { self.options = options }

  func run(_ report: (Finding) -> Void) {
    let files = certificates()
    for finding in files { report(finding) }
    var isAny = false
    for address in NATSCheckup.addresses(of: options) {
      let findings = server(address)
      isAny = isAny || findings.contains { $0.verdict != .problem }
      for finding in findings { report(finding) }
    }
    // The reason is reported already.
    guard isAny, !files.contains(where: { $0.verdict == .problem }) else { return }
    do throws(NATSError) {
      let checkup = try NATSCheckup(options)
      report(Finding("NATS login", .ok, "the servers accept this process"))
      let trip = try roundTrip(checkup)
      report(trip)
      try records(checkup, report)
    } catch { report(Finding("NATS", .problem, error.description)) }
  }

  // MARK: Servers

  private func server(_ address: String) -> [Finding] {
    let shown = NATSCheckup.shown(address)
    let greeting: NATSGreeting
    do throws(NATSError) { greeting = try .read(from: address) } catch {
      return [Finding("NATS server", .problem, error.description)]
    }
    var findings: [Finding] = []
    let version = "\(shown) is \(greeting.name) with version \(greeting.version)"
    if let release = greeting.release, release >= Self.goodRelease {
      findings.append(Finding("NATS server", .ok, version))
    } else {
      findings.append(
        Finding(
          "NATS server",
          .warning,
          "\(version), which has known faults; use 2.11 or later with 'sync_interval: always'"
        )
      )
    }
    if !greeting.hasStorage {
      findings.append(
        Finding("JetStream", .warning, "\(shown) stores nothing; add 'jetstream {}' to its file")
      )
    }
    return findings
  }

  private func roundTrip(_ checkup: NATSCheckup) throws(NATSError) -> Finding {
    let seconds = try checkup.roundTripSeconds()
    let text = "a message to NATS and back takes \(milliseconds(seconds))"
    guard seconds <= Self.roundTripMax else {
      return Finding(
        "round trip",
        .warning,
        "\(text), which delays each relayed frame; run NATS nearer to the servers"
      )
    }
    return Finding("round trip", .ok, text)
  }

  // MARK: Records

  private func records(_ checkup: NATSCheckup, _ report: (Finding) -> Void) throws(NATSError) {
    var isThere = true
    for bucket in Bucket.allCases {
      guard let state = try checkup.state(of: bucket) else {
        isThere = false
        report(Finding("bucket", .ok, "\(bucket.rawValue) does not exist yet; a server creates it"))
        continue
      }
      report(finding(state))
    }
    guard isThere else {
      try checkup.tryReplicas()
      let text =
        "not checked before the buckets exist, nor the clock; start a server, then try again"
      return report(Finding("records", .warning, text))
    }
    let trial = try checkup.trial(in: .nodes)
    let time = milliseconds(trial.seconds)
    if trial.isIntact {
      report(Finding("records", .ok, "one was written within \(time), read and deleted"))
    } else {
      let text = "one was not read as it was written; look at the log of the NATS servers"
      report(Finding("records", .problem, text))
    }
    report(clock(trial))
  }

  private func finding(_ state: NATSCheckup.State) -> Finding {
    if let fault = state.fault {
      return Finding(
        "bucket",
        .problem,
        "\(state.stream): \(fault); correct it with 'nats stream edit', or choose another"
          + " --nats-prefix"
      )
    }
    let text = "\(state.stream), \(state.replicas) replicas"
    guard state.late.isEmpty else {
      return Finding(
        "bucket",
        .warning,
        "\(text), but \(state.late.joined(separator: " and ")); start the server, or wait"
      )
    }
    guard state.replicas > 1 else {
      return Finding(
        "bucket",
        .warning,
        "\(state.stream), 1 replica: it is lost with its server; use three servers in a cluster"
      )
    }
    guard let leader = state.leader else {
      return Finding("bucket", .problem, "\(text), but no leader; start the other servers")
    }
    return Finding(
      "bucket",
      .ok,
      "\(text) are complete, \(leader) leads (what is in them was not compared)"
    )
  }

  private func clock(_ trial: NATSCheckup.Trial) -> Finding {
    let ahead = trial.clockSeconds
    let way = ahead < 0 ? "behind" : "ahead of"
    let text = "that of NATS is \(milliseconds(abs(ahead))) \(way) this machine's"
    guard abs(ahead) <= Self.clockMax else {
      return Finding(
        "clock",
        .warning,
        "\(text); synchronize all machines (timedatectl set-ntp true)"
      )
    }
    return Finding("clock", .ok, text)
  }

  // MARK: Certificates

  private func certificates() -> [Finding] {
    guard let tls = options.tls else { return [] }
    var findings: [Finding] = []
    for path in [tls.authorities, tls.certificate].compactMap({ $0 }) {
      findings.append(Self.certificate(path, at: Date()))
    }
    if let path = tls.key, !FileManager.default.isReadableFile(atPath: path) {
      findings.append(Finding("TLS", .problem, "the key \(path) cannot be read; check --nats-key"))
    }
    return findings
  }

  /// Checks the dates of the first certificate of a file.
  static func certificate(_ path: String, at now: Date) -> Finding {
    guard let data = FileManager.default.contents(atPath: path) else {
      return Finding("TLS", .problem, "\(path) cannot be read; check its name and its owner")
    }
    guard let dates = CertificateDates(pem: String(decoding: data, as: UTF8.self)) else {
      return Finding("TLS", .problem, "\(path) holds no certificate in PEM; name another file")
    }
    let until = dates.until.formatted(.iso8601)
    if dates.until < now {
      return Finding("TLS", .problem, "\(path) expired at \(until); renew it")
    }
    if dates.from > now {
      let from = dates.from.formatted(.iso8601)
      return Finding("TLS", .problem, "\(path) is valid only from \(from); check the clock")
    }
    guard dates.until.timeIntervalSince(now) >= expirySoon else {
      return Finding("TLS", .warning, "\(path) expires soon, at \(until); renew it")
    }
    return Finding("TLS", .ok, "\(path) expires at \(until)")
  }

  private func milliseconds(_ seconds: Double) -> String {
    String(format: "%.1f ms", 1000 * seconds)
  }
}

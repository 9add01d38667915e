internal import Fabric
internal import Rooms
internal import Telemetry
internal import Wire

/// Records the actions of hosts and all rejections, in the log and in the audit; neither contains
/// keys or what anybody reads.
struct Audit: Sendable {
  private let log: Log

  /// Creates an audit that writes to a log.
  init(log: Log) { self.log = log }

  /// Records an action of a host.
  func note(_ act: HostAct, room: String, by member: MemberID, from address: String) {
    var guest: MemberID?
    var grant: String?
    let name: String
    switch act {
    case .share: name = "share"
    case .settings: name = "settings"
    case .renewLinks: name = "renew links"
    case .bring: name = "bring"
    case .end: name = "end"
    case .remove(let other): (name, guest) = ("remove", other)
    case .grant(let other, let given): (name, guest, grant) = ("grant", other, "\(given)")
    case .record(let isOn): name = isOn ? "begin recording" : "end recording"
    // The recording's name is left out: names cannot be guessed, and anybody who knows one may play
    // it.
    case .play: name = "play recording"
    }
    log.info(
      .hostActed,
      "A host changed a room.",
      [
        "act": .text(name), "room": .text(room), "member": .count(Int(member.rawValue)),
        "address": .text(address), "guest": guest.map { .count(Int($0.rawValue)) },
        "grant": grant.map { .text($0) },
      ]
    )
  }

  /// Records that a request, a connection or a member was rejected.
  ///
  /// The same rejection of the same address is written once in ten seconds.
  func noteRefusal(_ cause: String, to address: String) {
    log.warning(
      .accessRefused,
      "Access was refused.",
      ["cause": .text(cause), "address": .text(address)],
      collapsing: cause + " " + address
    )
  }
}

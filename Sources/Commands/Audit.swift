internal import Dispatch
internal import Foundation
internal import Glibc
internal import Rooms
internal import Wire

/// What hosts did and who was refused, one JSON object a line; never a key, nor what was read.
///
/// The lines go to a file that only its owner reads, on a queue of its own. It begins anew when it
/// is ``sizeMax`` bytes long, and the one before is kept beside it.
///
/// Safety of `@unchecked`: all that changes is touched on `queue` alone.
final class Audit: @unchecked Sendable {
  /// The longest file, in bytes.
  static let sizeMax = 8 << 20
  /// For so long the same of the same address is told once, in seconds; then how often it was.
  static let quietSeconds = 10.0
  /// How many addresses and causes are told apart in that time; of others one line stands for all.
  private static let keysMax = 1000

  private struct Repeats {
    var since: Double
    var count = 0
  }

  private let path: String
  private let queue = DispatchQueue(label: "lectern.audit")
  private var file: Int32 = -1
  private var size = 0
  private var repeats: [String: Repeats] = [:]

  /// Writes to a file, which is made; `-` is standard error.
  init(path: String) throws(CommandError) {
    self.path = path
    if path == "-" {
      file = STDERR_FILENO
    } else if !reopen() {
      throw .failed("the audit cannot be written to \(path): \(String(cString: strerror(errno)))")
    }
  }

  deinit {
    if file > STDERR_FILENO { close(file) }
  }

  /// Notes what a host did.
  func note(_ act: HostAct, room: String, by member: MemberID, from address: String) {
    var fields = ["room": room, "member": "\(member.rawValue)", "address": address]
    let name: String
    switch act {
    case .share: name = "share"
    case .settings: name = "settings"
    case .renewLinks: name = "renew links"
    case .end: name = "end"
    case .showOut(let guest):
      name = "show out"
      fields["guest"] = "\(guest.rawValue)"
    case .grant(let guest, let grant):
      name = "grant"
      fields["guest"] = "\(guest.rawValue)"
      fields["grant"] = "\(grant)"
    case .record(let isOn): name = isOn ? "begin recording" : "end recording"
    // Not which: nobody guesses the name of one, and who knows it may play it.
    case .play: name = "play recording"
    }
    write("host", name, fields)
  }

  /// Notes that somebody was refused; the same of the same address seldom.
  func noteRefusal(_ cause: String, to address: String) {
    let now = Date().timeIntervalSince1970
    queue.async { [self] in
      if repeats.count >= Self.keysMax {
        repeats = repeats.filter { now < $0.value.since + Self.quietSeconds }
      }
      let isFull = repeats.count >= Self.keysMax
      let key = isFull ? "" : cause + " " + address
      let before = repeats[key]
      if let before, now < before.since + Self.quietSeconds {
        repeats[key]?.count += 1
        return
      }
      repeats[key] = Repeats(since: now)
      var fields = ["address": isFull ? "many" : address]
      if let count = before?.count, count > 0 { fields["since before"] = "\(count)" }
      append("refused", cause, fields, at: now)
    }
  }

  /// Waits until all is written.
  func finish() { queue.sync {} }

  private func write(_ event: String, _ what: String, _ fields: [String: String]) {
    let now = Date().timeIntervalSince1970
    queue.async { self.append(event, what, fields, at: now) }
  }

  private func append(_ event: String, _ what: String, _ fields: [String: String], at now: Double) {
    var all = fields
    all["event"] = event
    all["what"] = what
    all["time"] = Date(timeIntervalSince1970: now).formatted(.iso8601)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let line = try? encoder.encode(all) else { return }
    let bytes = Array(line) + [0x0a]
    if path != "-", size + bytes.count > Self.sizeMax {
      rename(path, path + ".1")
      guard reopen() else { return }
    }
    size += max(0, bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) })
  }

  private func reopen() -> Bool {
    let opened = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard opened >= 0 else { return false }
    if file > STDERR_FILENO { close(file) }
    file = opened
    fchmod(file, 0o600)
    size = max(0, Int(lseek(file, 0, Int32(SEEK_END))))
    return true
  }
}

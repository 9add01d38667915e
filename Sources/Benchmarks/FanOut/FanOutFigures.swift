internal import CLoad
internal import Foundation
internal import Wire

/// Measures what a room costs the server for each member, beside a bare loop that sends as many
/// bytes to as many sockets.
///
/// The server and the bare loop run in pairs, in turn, on one processor, and the members on
/// another. CPU times are those of the kernel's accounting.
enum FanOutFigures {
  private static let rounds = 5
  private static let seconds = 2.0

  static func report(members: [Int], threads: [Int]) throws {
    load_bind(1)
    defer { load_bind(-1) }
    for threads in threads {
      for count in members {
        try driven(count, threads: threads)
        if threads == 1 { try flown(count) }
      }
    }
  }

  /// A room with a presenter and members, and a bare loop with as many clients.
  private struct Pair {
    let room: SharedRoom
    let presenter: Actor
    let members: Audience
    let bare: MeasuredProcess
    let clients: Audience
    /// The mean size of what a member receives for each frame, in bytes.
    let size: Int

    init(_ count: Int, threads: Int = 1, presenter: (SharedRoom) throws -> Actor) throws {
      room = try SharedRoom(on: 0, threads: threads)
      self.presenter = try presenter(room)
      members = try Audience(port: room.port, count: count - 1, hellos: room.followerHellos)
      members.run(for: 2.5)
      let sample = members.run(for: 2)
      size = Int(sample.bytes / max(1, sample.driven + sample.flown))
      self.presenter.pause(true)
      bare = try MeasuredProcess("/proc/self/exe", ["floor", "\(size)", "60"], on: 0)
      clients = try Audience(port: try bare.readPort(), count: count - 1, hellos: [])
      bare.suspend(true)
    }

    /// Runs the members for a while.
    /// - Returns: What they received, and the CPU time of the server in seconds.
    func runRoom() -> (counts: load_counts, spent: Double) {
      presenter.pause(false)
      members.run(for: 0.5)
      _ = presenter.delays()
      let before = room.server.runSeconds
      let counts = members.run(for: seconds)
      let spent = room.server.runSeconds - before
      presenter.pause(true)
      return (counts, spent)
    }

    /// Runs the bare loop for a while.
    /// - Returns: The CPU time of one of its messages, in seconds.
    func runBare() throws -> Double {
      // What has arrived while nobody read is discarded.
      members.run(for: 0.3)
      bare.suspend(false)
      defer { bare.suspend(true) }
      clients.run(for: 0.3)
      return try bare.secondsEach { max(1, Int(clients.run(for: seconds).bytes) / size) }
    }
  }

  private static func driven(_ count: Int, threads: Int) throws {
    let pair = try Pair(count, threads: threads) { try $0.dragger() }
    defer { pair.bare.stop() }
    var (frames, writes, rates): ([Double], [Double], [Double]) = ([], [], [])
    var (own, others): ([Double], [Double]) = ([], [])
    for _ in 0..<rounds {
      let (counts, spent) = pair.runRoom()
      own += pair.presenter.delays()
      others += pair.members.delays()
      let least = try pair.runBare()
      frames.append(spent / Double(max(1, counts.driven)) / least)
      writes.append(spent / Double(max(1, counts.messages)) / least)
      rates.append(Double(counts.driven) / Double(count - 1) / seconds)
    }
    Table.row(
      "CPU of a driven frame with all that goes with it, \(count) members, \(threads) "
        + (threads == 1 ? "thread" : "threads"),
      asked: "<= \(count < 50 ? "2.0" : count < 200 ? "1.25" : "1.0") x the bare loop",
      "\(Table.number(frames.median, 2)) x (of a message \(Table.number(writes.median, 2)) x; "
        + "\(pair.size) bytes, \(Table.number(rates.median, 1)) Hz)"
    )
    Table.row(
      "its arrival: at the presenter after the message, at the others after its time; p50 / p99",
      asked: count >= 1000 ? "<= 5 ms, <= 16.7 ms" : "",
      "\(Quantiles.text(own)), \(Quantiles.text(others)) ms"
    )
  }

  private static func flown(_ count: Int) throws {
    let pair = try Pair(count) { try $0.turner(every: 0.75) }
    defer { pair.bare.stop() }
    var (ratios, rates): ([Double], [Double]) = ([], [])
    for _ in 0..<rounds {
      let (counts, spent) = pair.runRoom()
      let least = try pair.runBare()
      ratios.append(spent / Double(max(1, counts.flown)) / least)
      rates.append(Double(counts.flown) / Double(count - 1) / seconds)
    }
    Table.row(
      "CPU of a flown frame, \(count) members",
      asked: count >= 50 ? "<= 0.20 x the bare loop" : "",
      "\(Table.number(ratios.median, 2)) x (\(pair.size) bytes, "
        + "\(Table.number(rates.median, 1)) Hz)"
    )
  }
}

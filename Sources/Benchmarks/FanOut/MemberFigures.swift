internal import CLoad
internal import Foundation

/// Measures what members cost that only stay, and what it costs others when many join.
enum MemberFigures {
  /// How often pages probe the clock at rest, in seconds.
  static let interval = 15.0
  static let counts = [2000, 10_000]
  /// The members of one room, which has at most 1024.
  private static let roomMembers = 1000
  private static let joining = 500

  static func report(probeEvery: Double, members: [Int]) throws {
    load_bind(1)
    defer { load_bind(-1) }
    for count in members { try idle(count, probeEvery: probeEvery) }
    try join()
  }

  private static func idle(_ count: Int, probeEvery: Double) throws {
    let rooms = (count + roomMembers - 1) / roomMembers
    let room = try SharedRoom(on: 0, rooms: rooms)
    var habits = Audience.Habits(members: count)
    habits.probeEvery = probeEvery
    // What the first members of each room cost is the cost of the rooms.
    let first = try Audience(port: room.port, count: 4 * rooms, hellos: room.followerHellos)
    first.run(for: 1)
    let before = room.server.residentBytes
    let members = try Audience(
      port: room.port,
      count: count,
      hellos: room.followerHellos,
      habits: habits
    )
    members.run(for: probeEvery)
    let after = room.server.residentBytes
    let seconds = 2 * probeEvery
    let spent = room.server.runSeconds
    let received = members.run(for: seconds)
    let share = (room.server.runSeconds - spent) / seconds
    guard received.closed == 0 else {
      throw BenchmarkError("\(received.closed) members were disconnected", ECONNRESET)
    }
    Table.row(
      "CPU of \(count) members at rest that probe each \(Table.number(probeEvery, 0)) s",
      asked: count <= 2000 ? "<= 2 % of a core" : "<= 10 % of a core",
      "\(Table.number(100 * share, 1)) % (\(Table.number(Double(received.messages) / seconds, 0)) "
        + "messages/s to them)"
    )
    Table.row(
      "memory of each of them",
      asked: "<= 8 kB",
      "\(Table.number(Double(after - before) / Double(count) / 1024, 1)) kB"
    )
    withExtendedLifetime(first) {}
  }

  /// Many join a room within a second, in which a leaf is dragged.
  private static func join() throws {
    let room = try SharedRoom(on: 0)
    let presenter = try room.dragger()
    usleep(1_000_000)
    _ = presenter.delays()
    usleep(3_000_000)
    let before = presenter.delays()
    // The members leave the processor to the presenter, whose frames are timed.
    load_yield(1)
    defer { load_yield(0) }
    let members = try Audience(
      port: room.port,
      count: joining,
      hellos: room.followerHellos,
      within: 1
    )
    let meanwhile = presenter.delays()
    members.run(for: 1)
    Table.row(
      "\(joining) join a room within a second: the longest wait for the whole stage",
      asked: "<= 2 s",
      "\(Table.number(members.joinSeconds, 2)) s"
    )
    Table.row(
      "the presenter's own frame meanwhile, p50 / p99",
      "\(Quantiles.text(meanwhile)) ms (before \(Quantiles.text(before)) ms)"
    )
  }
}

internal import CLoad
internal import Foundation

/// Measures what a second service thread adds to the frames that a server sends in a second.
///
/// A client on the same machine takes as long for a frame as the server, and two busy threads of a
/// server would leave a small machine no processor for it. Therefore the kernel limits each service
/// thread to a fifth of a processor and gives it as many rooms, in both cases, whose presenters ask
/// for more than that. What threads share, and how evenly the rooms are distributed, then decides
/// the result, and the client has processors to spare, which its own time proves.
enum ThreadFigures {
  private static let share = 0.2
  private static let roomsPerThread = 8
  private static let members = 100
  private static let rounds = 3
  private static let seconds = 3.0

  static func report() throws {
    var (single, double, client): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<rounds {
      single.append(try throughput(threads: 1).sent)
      let (sent, busy) = try throughput(threads: 2)
      double.append(sent)
      client.append(busy)
    }
    Table.row(
      "frames of two service threads, beside those of one",
      asked: ">= 1.7 x",
      "\(Table.number(double.median / single.median, 2)) x (\(Table.number(double.median, 0)) "
        + "and \(Table.number(single.median, 0)) a second; each thread has "
        + "\(Table.number(share, 1)) of a processor, the client's took "
        + "\(Table.number(100 * client.median, 0)) % of one)"
    )
  }

  /// Returns the frames that members received in a second, and the share of a processor that the
  /// client took for them.
  private static func throughput(threads: Int) throws -> (sent: Double, client: Double) {
    let rooms = threads * roomsPerThread
    let room = try SharedRoom(on: nil, rooms: rooms, threads: threads)
    let audience = try Audience(
      port: room.port,
      count: rooms * members,
      hellos: room.followerHellos
    )
    let presenters = try room.draggers(hz: 60)
    audience.run(for: 1)
    try room.server.limitBusiest(threads, to: share)
    audience.run(for: 2)
    let before = load_own_run_time()
    let counts = audience.run(for: seconds)
    let busy = Double(load_own_run_time() - before) / 1e9 / seconds
    guard counts.closed == 0 else {
      throw BenchmarkError("\(counts.closed) members were disconnected", ECONNRESET)
    }
    withExtendedLifetime(presenters) {}
    return (Double(counts.driven) / seconds, busy)
  }
}

internal import CLoad
internal import Foundation

/// Measures how downloads of large pictures delay the frames of a room.
enum DownloadFigures {
  private static let followers = 50
  private static let downloads: Int32 = 50
  private static let pictureBytes = 8 << 20
  private static let seconds = 5.0

  static func report() throws {
    load_bind(1)
    defer { load_bind(-1) }
    let room = try SharedRoom(on: 0, pictureBytes: pictureBytes)
    let presenter = try room.dragger()
    let members = try Audience(port: room.port, count: followers, hellos: room.followerHellos)
    members.run(for: 2)
    let (alone, _) = measure(presenter, members)
    guard
      let downloads = load_downloads_start(
        UInt16(clamping: room.port),
        SharedRoom.picture,
        downloads
      )
    else { throw BenchmarkError("the downloads could not start", errno) }
    members.run(for: 0.5)
    let (busy, others) = measure(presenter, members)
    var (bytes, responses): (UInt64, UInt64) = (0, 0)
    let failures = load_downloads_stop(downloads, &bytes, &responses)
    guard failures == 0, responses > 0 else {
      throw BenchmarkError("\(failures) of \(responses) downloads failed", EPROTO)
    }
    let rate = Double(bytes) / (seconds + 0.5) / 1e6
    Table.row(
      "the presenter's own frame beside \(self.downloads) downloads of large pictures, p50 / p99",
      asked: "<= 5 ms (p99)",
      "\(Quantiles.text(busy)) ms (without downloads \(Quantiles.text(alone)) ms)"
    )
    Table.row(
      "the frames of \(followers) others then, p50 / p99; the downloads together",
      "\(Quantiles.text(others)) ms; \(Table.number(rate, 0)) MB/s"
    )
  }

  /// Plays a room for a while.
  /// - Returns: The times from frames to their arrival at the presenter and at others, in seconds.
  private static func measure(
    _ presenter: Actor,
    _ members: Audience
  ) -> (own: [Double], others: [Double]) {
    _ = presenter.delays()
    members.run(for: seconds)
    return (presenter.delays(), members.delays())
  }
}

/// Quantiles of times, as text.
enum Quantiles {
  /// Returns the median and the 99th percentile of times in seconds, in milliseconds.
  static func text(_ values: [Double]) -> String {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return "none" }
    func quantile(_ share: Double) -> String {
      Table.number(1000 * sorted[Int(Double(sorted.count - 1) * share)], 1)
    }
    return "\(quantile(0.5)) / \(quantile(0.99))"
  }
}

internal import Motion
internal import Scene
internal import Staging
internal import Wire

/// Measures the cost of computing and encoding a frame.
enum FrameCost {
  private static let batches = 30
  private static let framesPerBatch = 2000

  static func report() {
    let costs = [20, 100, 2000].map { nanoseconds(pages: $0) }
    Table.row(
      "compute + encode of a frame, 100-page book in mid-flip",
      asked: "<= 3000 ns",
      "\(Table.number(costs[1].median, 0)) ns (median of \(batches) batches of "
        + "\(framesPerBatch); least \(Table.number(costs[1].min() ?? 0, 0)) ns)"
    )
    Table.row(
      "the same, 2,000-page book against a 20-page book",
      asked: "about 1",
      "\(Table.number(costs[2].median / costs[0].median, 2)), with \(faces(pages: 2000)) faces "
        + "in sight against \(faces(pages: 20))"
    )
  }

  private static func faces(pages: Int) -> Int {
    var stage = Books.openStage(pages: pages)
    stage.apply(.key(.arrowRight), at: 100)
    return stage.frame(at: 100.15).placements.count
  }

  /// Returns the cost of a frame in each batch, in nanoseconds; the leaf is at a different angle in
  /// each.
  private static func nanoseconds(pages: Int) -> [Double] {
    var stage = Books.openStage(pages: pages)
    let start = 100.0
    stage.apply(.key(.arrowRight), at: start)
    var frame = stage.frame(at: start)
    var encoder = FrameEncoder()
    var bytes: [UInt8] = []
    // A tenth of a second in the middle of the turn.
    func time(_ turn: Int) -> Double {
      start + 0.1 + 0.1 * Double(turn) / Double(framesPerBatch)
    }
    func introduce() {
      let unknown = encoder.unknown(in: frame)
      if !unknown.isEmpty { _ = encoder.introduce(unknown.map(Books.element)) }
    }
    introduce()
    encoder.snapshot(of: frame, number: 0, time: start, into: &bytes)
    return (0..<batches).map { _ in
      secondsEach(turns: framesPerBatch) { turn in
        stage.render(at: time(turn), into: &frame)
        introduce()
        bytes.removeAll(keepingCapacity: true)
        encoder.delta(of: frame, number: UInt32(turn), time: time(turn), into: &bytes)
      } * 1e9
    }
  }
}

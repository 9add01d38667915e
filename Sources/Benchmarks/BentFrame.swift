internal import Motion
internal import Scene
internal import Staging
internal import Wire

/// Measures the cost and the size of a frame in which a finger drives a bent leaf.
enum BentFrame {
  private static let batches = 30
  private static let framesPerBatch = 600
  /// Where a finger takes the paper, below the middle of the stage: near the middle and the corner.
  private static let middle = 40.0
  private static let corner = 200.0

  static func report() {
    let (costs, sizes) = measured(.paper)
    let (slanted, slantedSizes) = measured(.paper, from: corner)
    let (rigid, rigidSizes) = measured(.board)
    Table.row(
      "compute + encode of a driven frame with a bent leaf",
      asked: "<= 15 us",
      "\(Table.number(costs.median / 1000, 2)) us (median of \(batches) batches of "
        + "\(framesPerBatch)); curling from a corner \(Table.number(slanted.median / 1000, 2)) us; "
        + "rigid \(Table.number(rigid.median / 1000, 2)) us"
    )
    Table.row(
      "bytes of such a frame",
      asked: "<= 700",
      "\(sizes.median) (least \(sizes.min() ?? 0), most \(sizes.max() ?? 0)); "
        + "curling from a corner \(slantedSizes.median) (most \(slantedSizes.max() ?? 0)); "
        + "rigid \(rigidSizes.median)"
    )
  }

  /// Returns the nanoseconds of a frame in each batch, and the bytes of all frames.
  ///
  /// The finger swings the leaf from one side to the other and back in each batch.
  private static func measured(
    _ stock: PaperStock,
    from y: Double = middle
  ) -> ([Double], [Int]) {
    var stage = Books.openStage(pages: 100, stock: stock)
    stage.advance(to: 100)
    var time = 100.0
    var frame = stage.frame(at: time)
    var encoder = FrameEncoder()
    var bytes: [UInt8] = []
    func introduce() {
      let unknown = encoder.unknown(in: frame)
      if !unknown.isEmpty { _ = encoder.introduce(unknown.map(Books.element)) }
    }
    introduce()
    encoder.snapshot(of: frame, number: 0, time: time, into: &bytes)
    stage.apply(.touch(Point(x: 250, y: y)), at: time)
    stage.apply(.pan(.began, Point(x: 240, y: y)), at: time)
    var sizes: [Int] = []
    sizes.reserveCapacity(batches * framesPerBatch)
    var number: UInt32 = 0
    let costs = (0..<batches).map { _ in
      secondsEach(turns: framesPerBatch) { turn in
        let half = framesPerBatch / 2
        let place = Double(turn < half ? turn : framesPerBatch - turn) / Double(half)
        time += 1.0 / 60
        number &+= 1
        stage.apply(.pan(.changed, Point(x: 230 - 460 * place, y: y)), at: time)
        stage.render(at: time, into: &frame)
        introduce()
        bytes.removeAll(keepingCapacity: true)
        encoder.delta(of: frame, number: number, time: time, into: &bytes)
        sizes.append(bytes.count)
      } * 1e9
    }
    return (costs, sizes)
  }
}

import TestVectors
import Testing

@testable import Motion

@Suite("The touched point of a turning leaf")
struct TouchedPaperTests {
  /// A random point of a leaf that turns with a random bend.
  private struct Sample: CustomStringConvertible {
    let layout: BookLayout
    let point: PaperPoint
    let bend, flatness: Double
    let rulings: Rulings

    var description: String {
      "\(point), bend \(bend), \(rulings), flatness \(flatness), \(layout.box.size)"
    }

    init(_ dice: inout SplitMix64) {
      let size = Size(
        width: .random(in: 200...600, using: &dice),
        height: .random(in: 300...600, using: &dice)
      )
      layout = BookLayout(pageCount: 40, box: PageBox(fitting: size))
      point = PaperPoint(
        arc: .random(in: 0.2...1, using: &dice),
        height: .random(in: -0.5...0.5, using: &dice)
      )
      rulings = .random(using: &dice)
      bend = dice.happens(0.15) ? 0 : .random(in: -1...1, using: &dice)
      flatness = [0, 0.3, 1].randomElement(using: &dice) ?? 0
    }

    func shape(_ progress: Double) -> LeafShape {
      LeafShape(progress: progress, bend: bend, rulings: rulings, flatness: flatness)
    }

    var sight: SeenPoint { SeenPoint(point, on: shape(0), of: layout) }

    func place(_ progress: Double) -> Double { sight.place(at: progress) }

    func progress(at place: Double) -> Double { sight.progress(at: place) }

    /// Returns the point of the leaf that is seen where the sample's point is.
    func paper(_ progress: Double) -> PaperPoint? {
      layout.paper(at: seen(point, progress), on: shape(progress))
    }

    /// Returns where a point is seen, half-way between the two sides of the sheet.
    func seen(_ point: PaperPoint, _ progress: Double) -> Point {
      let pose = Pose(box: layout.box, BookPose(offset: 0, flatness: flatness))
      var strips = LeafStrips(shape(progress).profile, rulings, in: pose, tilt: pose.tilt / 2)
      let crossing = rulings.position(arc: point.arc, height: point.height)
      var strip = strips.advance() ?? LeafStrips.Strip()
      var index = 1.0
      while index / 10 < crossing, let next = strips.advance() {
        (strip, index) = (next, index + 1)
      }
      let place = strip.position(point.arc * pose.width, point.height * pose.height)
      let nearer = 1 - place.z / 2000
      return Point(x: place.x / nearer, y: place.y / nearer)
    }
  }

  private func forEachSample(_ body: (Sample, inout SplitMix64) -> Void) {
    for seed in seeds(0..<600) {
      var dice = SplitMix64(seed: seed)
      let sample = Sample(&dice)
      body(sample, &dice)
    }
  }

  @Test("is where the parts of the leaf show it, half-way between the two sides of the sheet")
  func places() throws {
    forEachSample { sample, dice in
      let progress = Double.random(in: 0.01...0.99, using: &dice)
      let pose = BookPose(
        offset: 4 + progress,
        flatness: sample.flatness,
        bend: sample.bend == 0 ? 1e-12 : sample.bend,
        rulings: sample.rulings
      )
      let place = sample.place(progress)
      let (arc, height) = (sample.point.arc, sample.point.height)
      let crossing = sample.rulings.position(arc: arc, height: height)
      let index = min(Int(crossing * Double(BookLayout.stripCount)), BookLayout.stripCount - 1)
      let strip = sample.layout.parts(of: 5, in: pose).first { $0.part == .strip(index) }
      guard let strip else { return #expect(Bool(false), "no strip, \(sample)") }
      let isVerso = !strip.page.isMultiple(of: 2)
      let side = isVerso ? -sample.layout.box.size.width : sample.layout.box.size.width
      let down = height * sample.layout.box.size.height
      let seen = strip.transform.transformed(Point(x: side * arc, y: down)).x
      // In a book that stands, the verso is tilted in front of its recto by a thousandth.
      let depth = sample.flatness == 1 ? 0 : abs(side) * arc / (1 - abs(side) / 2000)
      #expect(abs(seen - place) <= 0.0005 * depth + 1e-9, "\(seen), \(place), \(sample)")
    }
  }

  @Test("is brought to any place between those where it rests")
  func inverse() {
    forEachSample { sample, dice in
      let (right, left) = (sample.place(0), sample.place(1))
      #expect(left < 0 && right > 0, "\(sample)")
      for step in 0...20 {
        let fraction = step == 20 ? Double.random(in: 0...1, using: &dice) : Double(step) / 19
        let place = left + (right - left) * fraction
        let progress = sample.progress(at: place)
        #expect((0...1).contains(progress), "\(sample)")
        #expect(abs(sample.place(progress) - place) < 1e-6, "place \(place), \(sample)")
      }
    }
  }

  @Test("is brought farther the farther left its place is, and is held where it rests beyond that")
  func monotone() {
    forEachSample { sample, _ in
      let (right, left) = (sample.place(0), sample.place(1))
      var last = 0.0
      for step in 0...60 {
        let place = right + 30 - (right - left + 60) * Double(step) / 60
        let progress = sample.progress(at: place)
        #expect(progress >= last - 1e-7, "place \(place), \(sample)")
        last = progress
      }
      for distance in [0, 1, 1000, 1e9] {
        #expect(sample.progress(at: right + distance) == sample.progress(at: right))
        #expect(sample.progress(at: left - distance) == sample.progress(at: left))
      }
    }
  }

  @Test("turns a standing leaf from its first moment, and a flat one once it is back")
  func ends() {
    forEachSample { sample, _ in
      let first = sample.progress(at: sample.place(0))
      let last = sample.progress(at: sample.place(1))
      if sample.flatness == 0 {
        #expect(first < 0.01 && last > 0.99, "\(first), \(last), \(sample)")
      } else if sample.flatness == 1 {
        // Above the table, the point is first seen farther from the spine.
        #expect(first > 0.001 && last < 0.999, "\(first), \(last), \(sample)")
      }
      #expect(first < 0.5 && last > 0.5, "\(sample)")
    }
  }

  @Test("is found at its place, unless a part of the leaf that is nearer to the eye is seen there")
  func points() {
    var found = 0
    forEachSample { sample, dice in
      let progress = Double.random(in: 0...1, using: &dice)
      let point = sample.point
      guard let paper = sample.paper(progress) else {
        return #expect(Bool(false), "progress \(progress), \(sample)")
      }
      let (seen, other) = (sample.seen(point, progress), sample.seen(paper, progress))
      #expect(abs(seen.x - other.x) < 1e-6, "progress \(progress), \(sample)")
      #expect(abs(seen.y - other.y) < 1e-6, "progress \(progress), \(sample)")
      // The leaf rises towards its edge, so what is farther out is nearer to the eye.
      #expect(paper.arc > point.arc - 1e-6, "\(paper), progress \(progress), \(sample)")
      found += abs(paper.arc - point.arc) < 1e-6 ? 1 : 0
    }
    #expect(replaysOneSeed || found > 400)
  }

  @Test("is not found beside the leaf")
  func beside() {
    // Each strip of the leaf is plane, so what is seen farthest out is on the leaf's outline.
    let outline = (0...200).map { Double($0) / 200 }.flatMap { part in
      [0, 1].map { PaperPoint(arc: $0, height: part - 0.5) }
        + [-0.5, 0.5].map { PaperPoint(arc: part, height: $0) }
    }
    forEachSample { sample, dice in
      let progress = Double.random(in: 0...1, using: &dice)
      let seen = outline.map { sample.seen($0, progress) }
      let (left, right) = (seen.map(\.x).min() ?? 0, seen.map(\.x).max() ?? 0)
      let (top, bottom) = (seen.map(\.y).min() ?? 0, seen.map(\.y).max() ?? 0)
      let inside = Point(x: .random(in: left...right, using: &dice), y: (top + bottom) / 2)
      let beside = [left - 2, right + 2, -3000, 3000].map { Point(x: $0, y: inside.y) }
      let beyond = [top - 2, bottom + 2, -3000, 3000].map { Point(x: inside.x, y: $0) }
      for point in beside + beyond {
        let paper = sample.layout.paper(at: point, on: sample.shape(progress))
        #expect(paper == nil, "\(point), \(progress), \(sample)")
      }
    }
  }

  @Test("with extreme numbers traps nowhere, and no progress leaves its range")
  func extremes() {
    let values = [
      0, 0.5, 1, -1, 3, 1e-300, 1e300, -1e300, .greatestFiniteMagnitude, .nan, .infinity,
      -.infinity,
    ]
    for size in [Size(width: 362, height: 568), Size(width: 1, height: 9e3)] {
      let layout = BookLayout(pageCount: 8, box: PageBox(fitting: size))
      for arc in values {
        for place in values {
          for bend in values {
            for flatness in values {
              let point = PaperPoint(arc: arc, height: place)
              let shape = LeafShape(
                progress: arc,
                bend: bend,
                rulings: Rulings(apex: place),
                flatness: flatness
              )
              let sight = SeenPoint(point, on: shape, of: layout)
              let progress = sight.progress(at: place)
              #expect((0...1).contains(progress), "\(point), \(shape)")
              let found = layout.paper(at: Point(x: place, y: bend), on: shape)
              #expect(found.map { (0...1).contains($0.arc) } ?? true)
              _ = sight.place(at: place)
            }
          }
        }
      }
    }
  }
}

extension BookLayout {
  /// Returns the visible parts of one leaf.
  fileprivate func parts(of leaf: Int, in pose: BookPose) -> [VisiblePart] {
    var parts: [VisiblePart] = []
    forEachVisiblePart(in: pose) { if $0.page / 2 == leaf { parts.append($0) } }
    return parts
  }
}

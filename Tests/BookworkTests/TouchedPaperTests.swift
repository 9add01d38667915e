import Bookwork
import Geometry
import TestVectors
import Testing

@Suite("The touched point of a turning leaf")
struct TouchedPaperTests {
  /// A random point of a leaf that turns with a random bend.
  private struct Sample: CustomStringConvertible {
    let layout: BookLayout
    let arc, bend, flatness: Double

    var description: String {
      "arc \(arc), bend \(bend), flatness \(flatness), width \(layout.box.size.width)"
    }

    init(_ dice: inout SplitMix64) {
      let size = Size(
        width: .random(in: 200...600, using: &dice),
        height: .random(in: 300...600, using: &dice)
      )
      layout = BookLayout(pageCount: 40, box: PageBox(fitting: size))
      arc = .random(in: 0.2...1, using: &dice)
      bend = dice.happens(0.15) ? 0 : .random(in: -1...1, using: &dice)
      flatness = [0, 0.3, 1].randomElement(using: &dice) ?? 0
    }

    func place(_ progress: Double) -> Double {
      layout.place(ofArc: arc, progress: progress, bend: bend, flatness: flatness)
    }

    func progress(at place: Double) -> Double {
      layout.progress(putting: arc, at: place, bend: bend, flatness: flatness)
    }

    func arc(at place: Double, _ progress: Double) -> Double? {
      layout.arc(at: place, progress: progress, bend: bend, flatness: flatness)
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
        bend: sample.bend == 0 ? 1e-12 : sample.bend
      )
      let place = sample.place(progress)
      let index = min(Int(sample.arc * Double(BookLayout.stripCount)), BookLayout.stripCount - 1)
      let strip = sample.layout.parts(of: 5, in: pose).first { $0.part == .strip(index) }
      guard let strip else { return #expect(Bool(false), "no strip, \(sample)") }
      let isVerso = !strip.page.isMultiple(of: 2)
      let side = isVerso ? -sample.layout.box.size.width : sample.layout.box.size.width
      let seen = strip.transform.transformed(Point(x: side * sample.arc, y: 0)).x
      // In a book that stands, the verso is tilted in front of its recto by a thousandth.
      let depth = sample.flatness == 1 ? 0 : abs(side) * sample.arc / (1 - abs(side) / 2000)
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
  func arcs() {
    var found = 0
    forEachSample { sample, dice in
      let progress = Double.random(in: 0...1, using: &dice)
      let place = sample.place(progress)
      guard let arc = sample.arc(at: place, progress) else {
        return #expect(Bool(false), "progress \(progress), \(sample)")
      }
      let back = sample.layout.place(
        ofArc: arc,
        progress: progress,
        bend: sample.bend,
        flatness: sample.flatness
      )
      #expect(abs(back - place) < 1e-6, "progress \(progress), \(sample)")
      // The leaf rises towards its edge, so what is farther out is nearer to the eye.
      #expect(arc > sample.arc - 1e-6, "\(arc), progress \(progress), \(sample)")
      found += abs(arc - sample.arc) < 1e-6 ? 1 : 0
    }
    #expect(replaysOneSeed || found > 400)
  }

  @Test("is not found beside the leaf")
  func beside() {
    forEachSample { sample, dice in
      let progress = Double.random(in: 0...1, using: &dice)
      let places = (0...400).map {
        sample.layout.place(
          ofArc: Double($0) / 400,
          progress: progress,
          bend: sample.bend,
          flatness: sample.flatness
        )
      }
      let (least, greatest) = (places.min() ?? 0, places.max() ?? 0)
      for beside in [least - 0.5, greatest + 0.5, -3000, 3000] {
        #expect(sample.arc(at: beside, progress) == nil, "\(beside), \(progress), \(sample)")
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
              let progress = layout.progress(
                putting: arc,
                at: place,
                bend: bend,
                flatness: flatness
              )
              #expect((0...1).contains(progress), "\(arc), \(place), \(bend), \(flatness)")
              let found = layout.arc(at: place, progress: arc, bend: bend, flatness: flatness)
              #expect(found.map((0...1).contains) ?? true)
              _ = layout.place(ofArc: arc, progress: place, bend: bend, flatness: flatness)
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

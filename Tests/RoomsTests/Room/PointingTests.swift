import Motion
import Rooms
import Scene
import Staging
import TestVectors
import Testing

private let outline = LibraryOutline(
  collections: (0..<3).map { _ in
    CollectionOutline(
      books: [Size(width: 362, height: 568), Size(width: 4, height: 3)].map {
        BookOutline(pageCount: 24, pageSize: $0)
      }
    )
  }
)

/// A stage, and the sizes and sides of its elements, which locate a spot.
private struct Table {
  var stage: Stage

  init(dragRule: DragRule = .covers) { stage = Stage(library: outline, dragRule: dragRule) }

  func size(_ key: ElementKey) -> (Size, ElementSide) {
    let side: ElementSide =
      key.kind != .page ? .centre : key.page.isMultiple(of: 2) ? .right : .left
    return (stage.size(of: key), side)
  }

  /// Returns the range of the element's width that its part shows at a height, all as fractions.
  ///
  /// The range of a strip ends a thousandth of a strip before its neighbours begin.
  func fractions(of key: ElementKey, at height: Double) -> ClosedRange<Double> {
    guard let strip = key.part.strip else { return 0...1 }
    let count = Double(ElementPart.stripCount)
    // Rulings that meet in an apex are closer to each other near it.
    let spread = strip.curl.apex.map { (abs($0) + 0.5) / abs($0 - (height - 0.5)) } ?? 1
    let inner = (Double(strip.index) + 0.001) / count / spread
    let isLast = strip.index == ElementPart.stripCount - 1
    let arcs = inner...(isLast ? 0.9999 : (Double(strip.index) + 0.999) / count / spread)
    return size(key).1 == .left ? 1 - arcs.upperBound...1 - arcs.lowerBound : arcs
  }

  /// Returns the first book, open and upright or flat, with its third leaf in mid-turn: bent, or
  /// rigid by the rule that scrolls.
  static func turning(
    to x: Double,
    from y: Double = 0,
    isFlat: Bool = false,
    dragRule: DragRule = .covers
  ) -> (Table, Frame) {
    var table = Table(dragRule: dragRule)
    for (index, key) in [Key.enter, .enter, .arrowRight, .arrowRight].enumerated() {
      table.stage.apply(.key(key), at: Double(index) * 4)
    }
    if isFlat { table.stage.apply(.lay(.flat), at: 16) }
    table.stage.apply(.pan(.began, Point(x: 250, y: y)), at: 20)
    table.stage.apply(.pan(.changed, Point(x: 240, y: y)), at: 20.1)
    table.stage.apply(.pan(.changed, Point(x: x, y: y)), at: 20.4)
    return (table, table.stage.frame(at: 20.4))
  }
}

@Suite("A spot on the paper")
struct PointingTests {
  /// Checks that each spot of a grid over each element is found where it is seen, or something in
  /// front of it, and returns the number of spots found.
  private func check(_ frame: Frame, _ table: Table, _ note: String) throws -> Int {
    var found = 0
    for placement in frame.placements where placement.opacity > 0 {
      guard placement.key.part != .shadow else { continue }
      for step in 0..<63 {
        let range = table.fractions(of: placement.key, at: Double(step / 9) / 6)
        let across = Double(step % 9) / 8
        let spot = Spot(
          element: placement.key.whole,
          x: range.lowerBound + (range.upperBound - range.lowerBound) * across,
          y: Double(step / 9) / 6
        )
        let point = try #require(frame.point(of: spot, size: table.size))
        let back = frame.spot(at: point, size: table.size)
        let key = try #require(back.element, "nothing at \(point), \(note)")
        if key == placement.key.whole, abs(back.x - spot.x) + abs(back.y - spot.y) < 1e-9 {
          found += 1
        } else {
          // Another page, or a strip of the same one that curls in front of this one.
          let other = try #require(frame.placements.first { $0.key.whole == key })
          #expect(other.z >= placement.z, "\(note)")
          let again = try #require(frame.point(of: back, size: table.size))
          #expect(abs(again.x - point.x) + abs(again.y - point.y) < 1e-6, "\(note)")
        }
      }
    }
    return found
  }

  @Test(
    "is found where it is seen, on pages at any angle and on bent ones",
    arguments: [false, true],
    DragRule.allCases
  )
  func roundTrip(isFlat: Bool, dragRule: DragRule) throws {
    var (bent, curls) = (0, Set<Curl>())
    for y in [0.0, 100, 200, -100, -200] {
      for x in stride(from: 230.0, through: -260, by: -14) {
        let (table, frame) = Table.turning(to: x, from: y, isFlat: isFlat, dragRule: dragRule)
        let found = try check(frame, table, "finger at \(x), \(y)")
        #expect(found > 100)
        let strips = frame.placements.compactMap(\.key.part.strip)
        bent += strips.isEmpty ? 0 : 1
        curls.formUnion(strips.map(\.curl))
      }
    }
    #expect(dragRule != .scroll ? bent > 100 : bent == 0)
    #expect(curls.count == (dragRule != .scroll ? Curl.allCases.count : 0))
  }

  @Test("is never on a shadow", arguments: [false, true])
  func shadows(isFlat: Bool) throws {
    var (dice, shadows) = (SplitMix64(seed: 11), 0)
    for x in stride(from: 230.0, through: -260, by: -14) {
      let (table, frame) = Table.turning(to: x, isFlat: isFlat)
      var without = frame
      without.placements.removeAll { $0.key.part == .shadow }
      shadows += frame.placements.count - without.placements.count
      // A shadow that is listed before its page.
      var before = without
      before.placements.insert(
        contentsOf: frame.placements.filter { $0.key.part == .shadow },
        at: 0
      )
      for _ in 0..<60 {
        let point = Point(
          x: .random(in: -420...420, using: &dice),
          y: .random(in: -330...330, using: &dice)
        )
        let spot = without.spot(at: point, size: table.size)
        #expect(frame.spot(at: point, size: table.size) == spot)
        #expect(spot.element?.part ?? .whole == .whole)
        let seen = without.point(of: spot, size: table.size)
        #expect(seen != nil && before.point(of: spot, size: table.size) == seen)
      }
    }
    #expect(shadows > 20)
  }

  @Test("is found on an upright leaf, which is seen in perspective")
  func perspective() throws {
    let (table, frame) = Table.turning(to: 60, dragRule: .scroll)
    let turned = frame.placements.filter { abs($0.transform.m14) > 1e-5 }
    #expect(turned.contains { abs($0.transform.m11) < 0.5 }, "no leaf is steep")
    for placement in turned where placement.key.part != .shadow {
      let middle = Spot(element: placement.key.whole, x: 0.5, y: 0.5)
      let corners = [0.0, 1].map { Spot(element: placement.key.whole, x: $0, y: 0.5) }
      let seen = try #require(frame.point(of: middle, size: table.size))
      let ends = try corners.map { try #require(frame.point(of: $0, size: table.size)) }
      #expect(abs(seen.x - (ends[0].x + ends[1].x) / 2) > 0.5, "what is nearer is larger")
    }
  }

  @Test("is found in the list, on a shelf, in a book that opens, and in random turns")
  func anyFrame() throws {
    let keys: [Key] = [.arrowRight, .arrowLeft, .enter, .escape, .pageDown, .end, .home]
    for seed in UInt64(1)...60 {
      var random = SplitMix64(seed: seed)
      var (table, time) = (Table(), 0.0)
      for _ in 0..<12 {
        table.stage.apply(.key(keys.randomElement(using: &random) ?? .enter), at: time)
        time += Double.random(in: 0...1, using: &random)
        _ = try check(table.stage.frame(at: time), table, "SEED=\(seed)")
      }
    }
  }

  @Test("is on the table, in points of the stage, where there is no element")
  func table() {
    let (table, frame) = Table.turning(to: 60)
    for point in [Point(x: 0, y: 383), Point(x: -511, y: -380), Point(x: 5000, y: 0)] {
      #expect(
        frame.spot(at: point, size: table.size) == Spot(element: nil, x: point.x, y: point.y)
      )
    }
    #expect(
      frame.point(of: Spot(x: 3, y: 4), size: table.size) == Point(x: 3, y: 4)
    )
  }

  @Test("belongs to the foremost or the later of equal elements, and to no unseen or edge-on one")
  func order() {
    func key(_ page: Int) -> ElementKey { ElementKey(kind: .page, item: 0, page: page) }
    func placement(_ page: Int, z: Int, opacity: Double = 1, _ transform: Transform3D) -> Placement
    {
      Placement(key: key(page), transform: transform, opacity: opacity, shade: 0, z: z)
    }
    func spot(_ placements: [Placement]) -> Spot {
      let frame = Frame(screen: .book, isSettled: false, placements: placements)
      return frame.spot(at: Point(x: 50, y: 0)) { _ in (Size(width: 100, height: 10), .right) }
    }
    let flat = Transform3D.identity
    #expect(spot([placement(2, z: 2, flat), placement(4, z: 1, flat)]).element == key(2))
    #expect(spot([placement(2, z: 1, flat), placement(4, z: 1, flat)]).element == key(4))
    #expect(
      spot([placement(2, z: 1, flat), placement(4, z: 2, opacity: 0, flat)]).element == key(2)
    )
    var upright = Transform3D.rotationY(.pi / 2)
    (upright.m11, upright.m33) = (0, 0)
    upright = upright.concatenating(.perspective())
    #expect(spot([placement(4, z: 2, upright)]).element == nil)
    // Its middle is 100 points behind the eye, where the projection is upside down.
    let behind = Transform3D.translation(x: -100, y: 0, z: 2100).concatenating(.perspective())
    #expect(spot([placement(4, z: 2, behind)]).element == nil)
    #expect(spot([placement(2, z: 1, flat)]) == Spot(element: key(2), x: 0.5, y: 0.5))
  }

  @Test("is measured from the edge at which its element begins, whichever edge is fastened")
  func sides() {
    let key = ElementKey(kind: .cover, item: 0)
    let placement = Placement(key: key, transform: .identity, opacity: 1, shade: 0, z: 0)
    let frame = Frame(screen: .shelf, isSettled: true, placements: [placement])
    for (side, x) in [(ElementSide.centre, -25.0), (.right, 25), (.left, -75)] {
      let spot = frame.spot(at: Point(x: x, y: -20)) { _ in (Size(width: 100, height: 80), side) }
      #expect(spot == Spot(element: key, x: 0.25, y: 0.25))
    }
  }
}

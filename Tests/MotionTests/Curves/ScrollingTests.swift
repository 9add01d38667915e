import Motion
import TestVectors
import Testing

@Suite("Scrolls")
struct ScrollingTests {
  struct Reference: Decodable {
    struct Projection: Decodable { let v, d, wwdc: Double }
    struct Snap: Decodable { let x, v_pt_ms, product_n5: Double }
    struct Paging: Decodable {
      let offset, v: Double
      let start, target: Int
    }
    let project: [Projection]
    let rubber_dim1024: [[Double]]
    let snap: [Snap]
    let paging_w1024: [Paging]
  }

  @Test("scrolls travel as far as those of the reference")
  func projection() throws {
    let reference = try vectors("scroll", as: Reference.self)
    for each in reference.project {
      #expect(agrees(Scrolling.project(velocityPerSecond: each.v, rate: each.d), each.wwdc))
    }
  }

  @Test("scrolls stretch beyond their edges as in the reference")
  func rubberBand() throws {
    for sample in try vectors("scroll", as: Reference.self).rubber_dim1024 {
      let moved = Scrolling.rubberBand(sample[0], dimension: 1024)
      #expect(agrees(moved, sample[1]))
      #expect(agrees(Scrolling.rubberBandInverse(moved, dimension: 1024), sample[2]))
    }
  }

  @Test("no pull reaches the dimension, and beyond it the inverse stays finite")
  func rubberBandBounds() {
    #expect(Scrolling.rubberBand(1e9, dimension: 1) < 1)
    #expect(Scrolling.rubberBand(0, dimension: 1) == 0)
    for moved in [1.0, -1, 5] {
      #expect(Scrolling.rubberBandInverse(moved, dimension: 1).isFinite)
    }
  }

  @Test("scrolls stop at the items of the reference")
  func snapping() throws {
    for each in try vectors("scroll", as: Reference.self).snap {
      let item = Scrolling.snappedIndex(
        proposed: (each.x + 331) / 372,
        velocityPerMillisecond: each.v_pt_ms,
        count: 5
      )
      #expect(Double(item) * 372 - 331 == each.product_n5)
    }
  }

  @Test("scrolls stop at the pages of the reference")
  func paging() throws {
    for each in try vectors("scroll", as: Reference.self).paging_w1024 {
      let page = Scrolling.pagedTarget(
        offset: each.offset / 1024,
        start: each.start,
        velocityPerMillisecond: each.v,
        maximum: 3
      )
      #expect(page == each.target)
    }
  }

  @Test("no target is off the shelf, not even at infinity")
  func targetsOnShelf() {
    for proposed in [-.infinity, -1e300, -7, -0.5, 0, 3.5, 4, 4.4, 99, 1e300, .infinity, .nan] {
      for velocity in [-3, -0.05, -0.01, 0, 0.01, 0.05, 3] {
        for count in [0, 1, 5] {
          let item = Scrolling.snappedIndex(
            proposed: proposed,
            velocityPerMillisecond: velocity,
            count: count
          )
          #expect((0...max(0, count - 1)).contains(item))
          let page = Scrolling.pagedTarget(
            offset: proposed,
            start: 1,
            velocityPerMillisecond: velocity,
            maximum: count - 1
          )
          #expect((0...min(2, max(0, count - 1))).contains(page))
        }
      }
    }
  }

  @Test("a twitch has no direction, and a rounding error is no distance")
  func twitch() {
    func item(_ proposed: Double, _ velocity: Double) -> Int {
      Scrolling.snappedIndex(proposed: proposed, velocityPerMillisecond: velocity, count: 9)
    }
    #expect(item(2.4, 0.049) == 2)
    #expect(item(2.4, 0.05) == 3)
    #expect(item(2.6, -0.05) == 2)
    #expect(item(2 + 1e-12, 1) == 2)
    #expect(item(2 - 1e-12, -1) == 2)
  }
}

import Glibc
import TestVectors
import Testing

@testable import Motion

@Suite("A bent leaf")
struct BentLeafTests {
  private static let strips = BookLayout.stripCount

  /// Calls `body` with many random books.
  private func forEachBook(isOpen: Bool = false, _ body: (BentBook, inout SplitMix64) -> Void) {
    for seed in seeds(0..<400) {
      var dice = SplitMix64(seed: seed)
      let book = BentBook(&dice, isOpen: isOpen)
      body(book, &dice)
    }
  }

  @Test("is one sheet: every strip begins exactly where the one before it ends")
  func hinges() {
    forEachBook { book, _ in
      for isVerso in [false, true] {
        let chain = book.chain(isVerso: isVerso)
        #expect(chain.count == Self.strips)
        for (index, pair) in zip(chain, chain.dropFirst()).enumerated() {
          for height in [-0.5, 0, 0.3, 0.5] {
            let arc = book.hinge(index + 1, height: height)
            let y = height * book.layout.box.size.height
            let end = book.position(arc: arc, y: y, by: pair.0, isVerso: isVerso)
            let start = book.position(arc: arc, y: y, by: pair.1, isVerso: isVerso)
            #expect((end - start).magnitude < 1e-9, "strip \(index), \(book)")
            let gap = abs(end.seen.x - start.seen.x) + abs(end.seen.y - start.seen.y)
            #expect(gap < 1e-9, "strip \(index), \(book)")
          }
        }
      }
    }
  }

  @Test("begins at the spine, where the other pages begin")
  func spine() {
    forEachBook { book, _ in
      let page = book.layout.transform(ofPage: 2, in: book.pose)
      for isVerso in [false, true] {
        let chain = book.chain(isVerso: isVerso)
        for y in [-200.0, 0, 200] {
          let start = book.position(arc: 0, y: y, by: chain[0], isVerso: isVerso)
          #expect((start - page.applied(x: 0, y: y)).magnitude < 1e-9, "\(book)")
        }
      }
    }
  }

  @Test("is not stretched: each strip has the size and the right angles that it has when flat")
  func isometry() {
    forEachBook { book, _ in
      let scale = book.layout.transform(ofPage: 0, in: book.pose).m22
      for isVerso in [false, true] {
        for transform in book.chain(isVerso: isVerso) {
          let across = SIMD3(transform.m11, transform.m12, transform.m13) / scale
          let down = SIMD3(transform.m21, transform.m22, transform.m23) / scale
          #expect(abs((across * across).sum() - 1) < 1e-12, "\(book)")
          #expect(abs((down * down).sum() - 1) < 1e-12, "\(book)")
          #expect(abs((across * down).sum()) < 1e-12, "\(book)")
        }
      }
    }
  }

  @Test("is as long as a flat one across its middle, if it does not curl at a corner")
  func length() {
    forEachBook { book, _ in
      guard book.pose.rulings == .parallel else { return }
      let rigid = book.layout.transform(ofPage: 0, in: book.pose)
      for isVerso in [false, true] {
        var length = 0.0
        for (index, transform) in book.chain(isVerso: isVerso).enumerated() {
          let arcs = [index, index + 1].map { Double($0) / Double(Self.strips) }
          let ends = arcs.map { book.position(arc: $0, by: transform, isVerso: isVerso) }
          let (dx, dz) = (ends[1].x - ends[0].x, ends[1].z - ends[0].z)
          length += (dx * dx + dz * dz).squareRoot()
        }
        // The scale of all pages of the book.
        #expect(abs(length - book.layout.box.size.width * rigid.m22) < 1e-9, "\(book)")
      }
    }
  }

  @Test("is never below a stack")
  func aboveStacks() throws {
    forEachBook { book, dice in
      guard let profile = book.layout.turningLeaf(in: book.pose)?.profile else { return }
      let rest = (1 - book.pose.flatness) * .pi / 4
      for _ in 0..<20 {
        let elevation = profile.elevation(at: .random(in: 0...1, using: &dice))
        #expect(elevation >= rest - 1e-12 && elevation <= .pi - rest + 1e-12, "\(book)")
      }
      // The resting leaves on both sides, as far open as the book is.
      let right = book.layout.transform(ofPage: 2 * book.leaf, in: book.resting(at: 0))
      let left = book.layout.transform(ofPage: 2 * book.leaf, in: book.resting(at: 1))
      let spine = right.m41
      let chain = book.chain(isVerso: false)
      for arc in stride(from: 0, through: 1, by: 0.05) {
        for height in [-0.5, -0.2, 0, 0.35, 0.5] {
          let transform = chain[book.strip(of: PaperPoint(arc: arc, height: height))]
          let y = height * book.layout.box.size.height
          let point = book.position(arc: arc, y: y, by: transform, isVerso: false)
          let (x, z) = (point.x - spine, point.z)
          // The height above each resting leaf.
          let scale = right.m22
          #expect((z * right.m11 - x * right.m13) / scale >= -1e-9, "\(arc), \(height), \(book)")
          #expect((x * left.m13 - z * left.m11) / scale >= -1e-9, "\(arc), \(height), \(book)")
        }
      }
    }
  }

  @Test("never moves back at any point while it turns, however it is bent")
  func forwards() {
    forEachBook { book, dice in
      let arc = Double.random(in: 0...1, using: &dice)
      var last = -Double.infinity
      for step in 0...200 {
        let profile = LeafProfile(
          progress: Double(step) / 200,
          bend: book.pose.bend,
          flatness: book.pose.flatness
        )
        let elevation = profile.elevation(at: arc)
        #expect(elevation >= last - 1e-12, "arc \(arc), \(book)")
        last = elevation
      }
    }
  }

  @Test("leads with its free edge for a positive bend and lags for a negative one, and is clamped")
  func direction() {
    forEachBook { book, _ in
      guard let profile = book.layout.turningLeaf(in: book.pose)?.profile else { return }
      var last = profile.elevation(at: 0)
      for step in 1...50 {
        let elevation = profile.elevation(at: Double(step) / 50)
        #expect(book.pose.bend > 0 ? elevation > last : elevation < last, "\(book)")
        last = elevation
      }
    }
  }

  @Test("that curls at a corner has that corner in front of the other")
  func corner() {
    forEachBook { book, _ in
      guard let apex = book.pose.rulings.apex, abs(apex) < 8 else { return }
      let last = book.chain(isVerso: false)[Self.strips - 1]
      let half = book.layout.box.size.height / 2
      let ends = [half, -half].map { y in
        book.position(arc: 1, y: apex > 0 ? y : -y, by: last, isVerso: false)
      }
      // How far the corners have turned about the spine.
      let spine = book.layout.transform(ofPage: 0, in: book.pose).m41
      let angles = ends.map { atan2($0.z, $0.x - spine) }
      #expect((angles[0] > angles[1]) == (book.pose.bend > 0), "\(angles), \(book)")
    }
  }

  @Test("without a bend is rigid, and its matrices are those of rigid pages to the last bit")
  func unbent() {
    forEachBook { book, dice in
      var rigid = book
      rigid.pose.bend = 0
      expectRigid(book.layout, rigid.pose)
      // These bend as little: the cover, leaves at rest, and the leaves of a closed book.
      var cover = book.pose
      cover.offset = -.random(in: 0.01...0.99, using: &dice)
      expectRigid(book.layout, cover)
      var rest = book.pose
      rest.offset = rest.offset.rounded()
      expectRigid(book.layout, rest)
      var closed = book.pose
      closed.openness = 0
      expectRigid(book.layout, closed)
      #expect(
        book.layout.backBoard(in: book.pose) == book.layout.backBoard(in: rigid.pose),
        "\(book)"
      )
    }
  }

  /// Expects whole pages and edges, with the matrices of rigid pages.
  private func expectRigid(_ layout: BookLayout, _ pose: BookPose) {
    let parts = layout.parts(in: pose).filter { $0.part != .shadow }
    var rigid = pose
    rigid.bend = 0
    #expect(parts == layout.parts(in: rigid).filter { $0.part != .shadow }, "\(pose)")
    for part in parts {
      #expect(part.strip == nil, "\(pose)")
      #expect(part.transform == layout.transform(ofPage: part.page, in: pose), "\(pose)")
      #expect(part.opacity == 1, "\(pose)")
    }
  }

  @Test("approaches the rigid leaf as its bend vanishes")
  func limit() {
    forEachBook { book, _ in
      var slight = book
      slight.pose.bend = book.pose.bend > 0 ? 1e-9 : -1e-9
      let strips = slight.strips
      #expect(strips.count == Self.strips)
      let rigid = [book.recto, book.verso].map { book.layout.transform(ofPage: $0, in: book.pose) }
      for strip in strips {
        let whole = rigid[strip.page - book.recto]
        #expect(strip.transform.pageDifference(from: whole) < 1e-6, "\(book)")
      }
    }
  }

  @Test("shows each strip once, on the side that faces the eye, from the spine outwards")
  func sides() {
    var bothSides = 0
    forEachBook { book, _ in
      let parts = book.parts
      let strips = parts.filter { $0.strip != nil }
      #expect(strips.compactMap(\.strip) == Array(0..<Self.strips), "\(book)")
      #expect(Set(strips.map(\.z)).count == 1 && strips.allSatisfy { $0.opacity == 1 }, "\(book)")
      // Nothing else is drawn between them.
      if let first = parts.firstIndex(where: { $0.strip != nil }) {
        #expect(parts[first..<min(first + Self.strips, parts.count)] == strips[...], "\(book)")
      }
      let highest = parts.filter { $0.strip == nil }.map(\.z).max() ?? 0
      #expect((strips.first?.z ?? 0) > highest || book.pose.openness < 1, "\(book)")
      let chains = [false, true].map { book.chain(isVerso: $0) }
      for (index, strip) in strips.enumerated() {
        let isVerso = strip.page == book.verso
        #expect(isVerso || strip.page == book.recto, "\(book)")
        #expect(strip.transform == chains[isVerso ? 1 : 0][index], "\(book)")
        #expect((0...1).contains(strip.shade), "\(book)")
        // The side that faces the eye is seen the right way round. The recto decides, from which
        // the verso differs by its tilt.
        let arcs = [index, index + 1].map { book.hinge($0, height: 0) }
        let seen = [(arcs[0], 0.0), (arcs[1], 0), (arcs[0], 1)].map {
          book.position(arc: $0.0, y: $0.1, by: chains[0][index], isVerso: false).seen
        }
        let (x, y) = (seen[1].x - seen[0].x, seen[1].y - seen[0].y)
        let area = x * (seen[2].y - seen[0].y) - y * (seen[2].x - seen[0].x)
        #expect(isVerso ? area < 1e-9 : area > -1e-9, "\(book)")
      }
      bothSides += Set(strips.map(\.page)).count == 2 ? 1 : 0
    }
    #expect(replaysOneSeed || bothSides > 20)
  }

  @Test("has no matrix with a negative zero or a number that is not finite")
  func cleanNumbers() {
    forEachBook { book, _ in
      for part in book.parts {
        #expect(part.transform.isFinite, "\(book)")
        for entry in 0..<16 where part.transform[entry] == 0 {
          #expect(part.transform[entry].sign == .plus, "entry \(entry), \(book)")
        }
      }
    }
  }

  @Test("is stiffer as a bundle of leaves")
  func bundle() {
    forEachBook(isOpen: true) { book, _ in
      let bundled = book.layout.bundling(book.leaf...book.leaf + 2)
      var single = book.pose
      single.bend *= 0.4
      let strips = bundled.parts(in: book.pose).filter { $0.strip != nil }
      let expected = book.layout.parts(in: single).filter { $0.strip != nil }
      #expect(strips.count == Self.strips)
      #expect(zip(strips, expected).allSatisfy { $0.transform == $1.transform }, "\(book)")
    }
  }

  @Test("with an extreme bend, progress or pose traps nowhere")
  func extremes() {
    let values = [0, -1, 1, 7, -1e308, 1e308, .nan, .infinity, -.infinity]
    for pages in [0, 1, 2, 3, 9, 40] {
      let layout = BookLayout(pageCount: pages, box: pageBox)
      for bend in values {
        for flatness in values {
          for offset in [0.5, 1.25, -0.5, 18.5, 1e300, -1e300, .nan, .infinity] {
            let pose = BookPose(
              offset: offset,
              flatness: flatness,
              bend: bend,
              rulings: Rulings(apex: bend)
            )
            #expect(layout.parts(in: pose).count < 40)
          }
        }
      }
    }
  }
}

extension BentBook {
  /// Returns the pose in which the turning leaf rests: on the right for a progress of 0, on the
  /// left for 1.
  fileprivate func resting(at progress: Double) -> BookPose {
    var rest = pose
    rest.offset = Double(leaf - 1) + progress
    return rest
  }
}

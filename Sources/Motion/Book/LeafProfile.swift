internal import Glibc

/// The elevation of a turning leaf at each distance from the spine, which makes its curve.
///
/// The leaf is a generalised cylinder about the spine, so the paper is bent but not stretched. It
/// is clamped at the spine: where a bent leaf begins to rise, it rises last.
///
///     psi(s) = rest + (pi - 2 rest) (u + bend E(u) g(s))
///     E(u) = u (1 - u),  g(s) = pi/2 sin(pi s / 2) - 1
///
/// The mean of g over the leaf is 0, so bending keeps the mean elevation. For bends in -1...1,
/// every elevation stays between those of the two stacks and never decreases with u.
struct LeafProfile: Equatable {
  /// The elevation of a resting leaf on the right, in radians: pi/4 standing, 0 flat.
  let rest: Double
  /// How far the leaf has turned from right to left, 0...1.
  let progress: Double
  /// The amplitude of the bend at this progress; 0 for a rigid leaf.
  let amplitude: Double

  /// Creates a profile.
  /// - Parameters:
  ///   - progress: How far the leaf has turned from right to left; values outside 0...1 are those
  ///     of a rigid leaf beyond its rest.
  ///   - bend: The bend, which is limited to -1...1.
  ///   - flatness: The pose of the book.
  init(progress: Double, bend: Double, flatness: Double) {
    rest = (1 - flatness) * .pi / 4
    self.progress = progress
    let envelope = max(0, progress * (1 - progress))
    amplitude = min(max(bend, -1), 1) * envelope
  }

  /// Whether the leaf is flat.
  var isRigid: Bool { amplitude == 0 }

  /// Returns the elevation at a fraction of the leaf's width from the spine, in radians.
  func elevation(at arc: Double) -> Double { elevation(curve: Self.curve(at: arc)) }

  /// Returns the elevation where g has a value, in radians.
  func elevation(curve: Double) -> Double {
    rest + (.pi - 2 * rest) * (progress + amplitude * curve)
  }

  /// Returns g at a fraction of the leaf's width from the spine.
  static func curve(at arc: Double) -> Double { .pi / 2 * sin(.pi / 2 * arc) - 1 }
}

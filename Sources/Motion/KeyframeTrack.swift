/// The values of a property at points of an animation, with interpolation between them.
public struct KeyframeTrack: Equatable, Sendable {
  /// A value at a fraction of the whole animation.
  public struct Keyframe: Equatable, Sendable {
    /// The fraction, in 0...1.
    public let time: Double
    /// The value at that fraction.
    public let value: Double

    /// Creates a keyframe.
    public init(time: Double, value: Double) {
      self.time = time
      self.value = value
    }
  }

  /// The interpolation between keyframes.
  public enum Interpolation: Equatable, Sendable {
    /// Straight lines.
    case linear
    /// Catmull-Rom: tangents from the neighbours, one-sided at the ends. It can overshoot.
    case catmullRom
  }

  /// The keyframes, in order of time.
  public let keyframes: [Keyframe]
  /// The interpolation between them.
  public let interpolation: Interpolation

  /// Creates a track; two keyframes at the same time make a jump.
  public init(_ keyframes: [Keyframe], interpolation: Interpolation = .linear) {
    precondition(!keyframes.isEmpty, "a track needs a keyframe")
    precondition(
      zip(keyframes, keyframes.dropFirst()).allSatisfy { $0.time <= $1.time },
      "keyframes must be in order of time"
    )
    self.keyframes = keyframes
    self.interpolation = interpolation
  }

  /// Returns the value at a fraction of the animation: the first before it, the last after it.
  public func value(at time: Double) -> Double {
    guard let next = keyframes.firstIndex(where: { $0.time > time }) else {
      return keyframes[keyframes.count - 1].value
    }
    guard next > 0 else { return keyframes[0].value }
    let (from, to) = (keyframes[next - 1], keyframes[next])
    let span = to.time - from.time
    let u = (time - from.time) / span
    switch interpolation {
    case .linear:
      return from.value + (to.value - from.value) * u
    case .catmullRom:
      let (u2, u3) = (u * u, u * u * u)
      return (2 * u3 - 3 * u2 + 1) * from.value + (u3 - 2 * u2 + u) * span * tangent(next - 1)
        + (3 * u2 - 2 * u3) * to.value + (u3 - u2) * span * tangent(next)
    }
  }

  private func tangent(_ index: Int) -> Double {
    let before = keyframes[max(index - 1, 0)]
    let after = keyframes[min(index + 1, keyframes.count - 1)]
    return after.time > before.time ? (after.value - before.value) / (after.time - before.time) : 0
  }
}

/// A random number generator whose seed reproduces its numbers (Steele, Lea and Flood, 2014).
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  /// Starts a sequence.
  /// - Parameter seed: The number that determines the sequence.
  package init(seed: UInt64) { state = seed }

  /// Returns the next number of the sequence.
  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// Returns whether a random event occurs.
  /// - Parameter chance: Its probability, from 0 (never) to 1 (always).
  /// - Returns: Whether it occurs.
  package mutating func happens(_ chance: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < chance
  }
}

internal import Foundation

/// Returns the seeds of a simulation: the given ones and a random one, so that each run also tries
/// something new.
///
/// The run prints the random seed. The environment variable `SEED` replays one seed alone:
/// `SEED=1234 swift test --filter Crowd`.
/// - Parameter fixed: The seeds that every run tries.
/// - Returns: The fixed seeds and the random one, or the one to replay.
package func seeds(_ fixed: some Sequence<UInt64>) -> [UInt64] {
  if let replayedSeed { [replayedSeed] } else { Array(fixed) + [randomSeed] }
}

/// Whether the run replays one seed alone, which cannot cover everything.
package var replaysOneSeed: Bool { replayedSeed != nil }

/// The seed to replay, from the environment.
private let replayedSeed: UInt64? = {
  guard let text = ProcessInfo.processInfo.environment["SEED"], !text.isEmpty else { return nil }
  guard let seed = UInt64(text) else {
    preconditionFailure("SEED is \"\(text)\", but must be a whole number from 0 to 2^64 - 1")
  }
  return seed
}()

/// The random seed, printed before its first use because a simulation that crashes reports no seed.
private let randomSeed: UInt64 = {
  let seed = UInt64.random(in: 1_000_000..<10_000_000)
  print("Simulations also run with a random seed; SEED=\(seed) replays them with that one alone")
  return seed
}()

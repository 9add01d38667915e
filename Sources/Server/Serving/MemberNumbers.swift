internal import Fabric
internal import Gateway
internal import Synchronization

/// Gives numbers to members, each of which belongs to one member at a time.
///
/// In a cluster, 22 bits count the members of a process, so that the numbers begin again after four
/// million connections. Numbers of members that are connected, or that may still rejoin, are then
/// skipped. Any thread may call any function.
final class MemberNumbers: Sendable {
  /// The time for which a number rests after its connection ended, in seconds: longer than a member
  /// may take to rejoin.
  static let restSeconds = 120.0
  /// The maximum number of numbers that rest.
  static let restingMax = 1 << 18
  private static let countBits: UInt32 = 22
  private static let countMask: UInt32 = 1 << countBits - 1

  private struct State {
    var last: UInt32 = 0
    /// The high bits, which differ from those of other nodes; 0 without a cluster.
    var prefix: UInt32 = 0
    /// How many connections, or rests after connections, hold a number.
    var holders: [UInt32: Int] = [:]
    /// The numbers that rest, and until when, the next one to be free at `first`.
    var resting: [(number: UInt32, until: Double)] = []
    var first = 0
  }

  private let state = Mutex(State())

  /// How many numbers are not free.
  var heldCount: Int { state.withLock { $0.holders.count } }

  /// Gives members numbers with a node's number in the high 10 bits.
  /// - Parameters:
  ///   - number: The node's number.
  ///   - start: After which number the counting begins; random, because members of a process that
  ///     had the same number before may be in rooms of other nodes.
  func setNode(_ number: UInt32, start: UInt32 = .random(in: 0...countMask)) {
    state.withLock { state in
      let prefix = number << Self.countBits
      guard prefix != state.prefix else { return }
      (state.prefix, state.last) = (prefix, start)
    }
  }

  /// Returns a number for a new connection.
  /// - Complexity: O(1) expected.
  func next(at now: Double) -> MemberID {
    state.withLock { state in
      Self.free(&state, until: now)
      repeat { state.last &+= 1 } while !Self.isFree(state)
      let number = Self.number(state)
      state.holders[number] = 1
      return MemberID(number)
    }
  }

  /// Notes which members are connected over another connection than before, or over none.
  func note(_ changes: [MemberChange], at now: Double) {
    state.withLock { state in
      for change in changes {
        let number = change.member.rawValue
        if change.isHere {
          state.holders[number, default: 0] += 1
        } else if state.holders[number] != nil {
          state.resting.append((number, now + Self.restSeconds))
        }
      }
      Self.free(&state, until: now)
    }
  }

  private static func number(_ state: State) -> UInt32 {
    state.prefix == 0 ? state.last : state.prefix | state.last & countMask
  }

  /// Whether the number that comes next belongs to nobody; at most a fraction of all do.
  private static func isFree(_ state: State) -> Bool {
    number(state) != state.prefix && state.holders[number(state)] == nil
  }

  /// Frees the numbers that have rested for long enough.
  private static func free(_ state: inout State, until now: Double) {
    while state.first < state.resting.count {
      let (number, until) = state.resting[state.first]
      guard until <= now || state.resting.count - state.first > restingMax else { break }
      state.first += 1
      let left = state.holders[number, default: 1] - 1
      state.holders[number] = left > 0 ? left : nil
    }
    guard state.first > 64, 2 * state.first > state.resting.count else { return }
    state.resting.removeFirst(state.first)
    state.first = 0
  }
}

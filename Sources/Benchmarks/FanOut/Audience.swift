internal import CLoad
internal import Foundation
internal import Scene
internal import Wire

/// Many members of a room, or many clients of the bare loop, played by one thread on one processor.
final class Audience {
  /// How often pages probe the clock, in seconds, and how long after a frame they send an ack.
  ///
  /// In a large room, and at rest, pages probe less often.
  struct Habits {
    var probeEvery: Double
    var ackAfter = 1.0

    /// Creates the habits of pages in a room in which something moves.
    init(members: Int) { probeEvery = min(max(4, 0.016 * Double(members)), 20) }
  }

  /// The time until all members had joined and received their first frame, in seconds; the longest
  /// time of one member, if their arrivals are spread.
  let joinSeconds: Double
  let count: Int
  private let pointer: OpaquePointer

  /// Joins a server.
  /// - Parameters:
  ///   - port: The server's port.
  ///   - count: The number of members.
  ///   - hellos: The hellos, which members send in turn; none for clients of the bare loop.
  ///   - habits: How often they send; nil for those of pages in a room in which something moves.
  ///   - seconds: The time over which the members' arrivals are spread.
  /// - Throws: An error if they cannot join.
  init(
    port: Int,
    count: Int,
    hellos: [Hello],
    habits: Habits? = nil,
    within seconds: Double = 0
  ) throws {
    let habits = habits ?? Habits(members: count)
    self.count = count
    let greetings = hellos.map { ClientMessage.hello($0).encoded() }
    let probe = ClientMessage.clock(clientTime: 0).encoded()
    let ack = ClientMessage.ack(Ack(frame: 0, lateness: 0.002, syncError: 0.004, roundTrip: 0.003))
      .encoded()
    var plan = load_plan()
    plan.port = UInt16(clamping: port)
    plan.members = Int32(clamping: count)
    plan.probe_size = probe.count
    plan.probe_every = habits.probeEvery
    plan.ack_size = ack.count
    plan.ack_after = habits.ackAfter
    plan.hello_count = Int32(clamping: greetings.count)
    plan.join_within = seconds
    var took = 0.0
    let opened = CopiedBytes(greetings).withPointers { pointers, sizes in
      probe.withUnsafeBufferPointer { probe in
        ack.withUnsafeBufferPointer { ack in
          plan.probe = probe.baseAddress
          plan.ack = ack.baseAddress
          (plan.hellos, plan.hello_sizes) = (pointers, sizes)
          return load_audience_open(&plan, 60, &took)
        }
      }
    }
    guard let opened else {
      throw BenchmarkError("\(count) members could not join", errno)
    }
    (pointer, joinSeconds) = (opened, took)
  }

  deinit { load_audience_close(pointer) }

  /// Plays the members for a while.
  /// - Returns: What they received.
  @discardableResult
  func run(for seconds: Double) -> load_counts {
    _ = load_audience_take(pointer)
    _ = delays()
    load_audience_run(pointer, seconds)
    return load_audience_take(pointer)
  }

  /// Returns the times from each driven frame's time to its arrival at some of the members.
  func delays() -> [Double] {
    [Float](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
      count = load_audience_delays(pointer, buffer.baseAddress, buffer.count)
    }.map(Double.init)
  }
}

/// A member that acts at a steady rate, on a thread of its own.
final class Actor {
  private let pointer: OpaquePointer

  /// Drags a finger to and fro, or repeats an order.
  enum Action {
    /// Drags between two places of the window, in CSS pixels.
    case drag(from: Double, to: Double, y: Double)
    /// Presses two keys in turn.
    case press(Key, Key)
  }

  init(port: Int, hello: Hello, action: Action, hz: Double, first: [ClientMessage] = []) throws {
    let greeting = ClientMessage.hello(hello).encoded()
    var opening = first.map { $0.encoded() }
    var plan = load_actor_plan()
    let messages: [[UInt8]]
    switch action {
    case .drag(let least, let most, let y):
      func pointers(_ phase: PointerPhase, _ x: Double) -> [UInt8] {
        let sample = PointerSample(id: 0, phase: phase, x: x, y: y)
        return ClientMessage.pointers(Pointers(target: 0, samples: [sample])).encoded()
      }
      opening += [pointers(.down, least)]
      messages = [pointers(.move, least), pointers(.move, least)]
      (plan.x_least, plan.x_most) = (Float(least), Float(most))
      // The last eight bytes are the place.
      plan.x_offset = messages[0].count - 8
    case .press(let one, let other):
      messages = [ClientMessage.key(one).encoded(), ClientMessage.key(other).encoded()]
    }
    plan.port = UInt16(clamping: port)
    plan.hello_size = greeting.count
    plan.first_count = Int32(opening.count)
    plan.pause = 0.2
    plan.message_size = messages[0].count
    plan.hz = hz
    let started = greeting.withUnsafeBufferPointer { greeting in
      messages[0].withUnsafeBufferPointer { one in
        messages[1].withUnsafeBufferPointer { other in
          CopiedBytes(opening).withPointers { first, sizes in
            plan.hello = greeting.baseAddress
            plan.messages = (one.baseAddress, other.baseAddress)
            (plan.first, plan.first_sizes) = (first, sizes)
            return load_actor_start(&plan)
          }
        }
      }
    }
    guard let started else {
      throw BenchmarkError("the presenter could not join", errno)
    }
    pointer = started
  }

  deinit { load_actor_stop(pointer) }

  /// Pauses, or acts again.
  func pause(_ pauses: Bool) { load_actor_pause(pointer, pauses ? 1 : 0) }

  /// Returns the times from each message of this member to the arrival of its frame here.
  func delays() -> [Double] {
    [Float](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = load_actor_delays(pointer, buffer.baseAddress, buffer.count)
    }.map(Double.init)
  }
}

/// Messages in memory that C can read.
struct CopiedBytes {
  private let messages: [[UInt8]]

  init(_ messages: [[UInt8]]) { self.messages = messages }

  /// Calls a closure with the messages and their sizes, which are valid during the call.
  func withPointers<Result>(
    _ body: (UnsafePointer<UnsafePointer<UInt8>?>?, UnsafePointer<Int>?) -> Result
  ) -> Result {
    let copies = messages.map { bytes in
      let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, bytes.count))
      copy.initialize(from: bytes, count: bytes.count)
      return UnsafePointer(copy)
    }
    defer { for copy in copies { copy.deallocate() } }
    return copies.map { Optional($0) }.withUnsafeBufferPointer { pointers in
      messages.map(\.count).withUnsafeBufferPointer { sizes in
        body(pointers.baseAddress, sizes.baseAddress)
      }
    }
  }
}

/// Why something cannot be measured.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ what: String, _ code: Int32) {
    description = "\(what): \(String(cString: strerror(code)))"
  }
}

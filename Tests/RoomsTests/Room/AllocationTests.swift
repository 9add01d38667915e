import CAllocations
import Fabric
import Gateway
import Scene
import TestVectors
import Testing
import Wire

@testable import Rooms

/// The path of a presenter's finger must not take memory from the heap: the cost of the allocator
/// would be paid for each message, and its locks would be shared by all threads.
@Suite("The path of a pointer message", .enabled(if: Allocations.areCounted, Allocations.reason))
struct AllocationTests {
  @Test("allocates nothing while a leaf is driven, in a room with followers")
  func drivenLeaf() throws {
    var room = try DrivenRoom()
    try room.begin()
    let script = room.script(240)
    // The buffers grow to the size of the frames.
    for _ in 0..<4 { room.play(script) }
    let frames = room.frames
    let before = Allocations()
    room.play(script)
    let spent = Allocations() - before
    #expect(room.frames - frames >= script.count * room.memberCount)
    #expect(spent.count == 0, "\(spent) for \(script.count) messages")
  }

  @Test("counts the allocations of this thread")
  func counts() {
    let before = Allocations()
    let array = [UInt8](repeating: 1, count: Int.random(in: 4000...5000))
    let spent = Allocations() - before
    #expect(spent.count >= 1 && spent.bytes >= UInt64(array.count))
  }
}

/// What the present thread has allocated since it started.
struct Allocations: CustomStringConvertible {
  private(set) var count = allocations_count()
  private(set) var bytes = allocations_bytes()

  static let reason: Comment = "needs an optimized build without sanitizers"
  static var areCounted: Bool {
    #if DEBUG
    false
    #else
    allocations_are_counted()
    #endif
  }

  static func - (later: Allocations, earlier: Allocations) -> Allocations {
    var spent = later
    spent.count -= earlier.count
    spent.bytes -= earlier.bytes
    return spent
  }

  var description: String { "\(count) allocations of \(bytes) bytes" }
}

/// A shared room whose presenter holds a leaf, in front of followers.
///
/// What it does for each message must not allocate either, although tests are not optimized.
private struct DrivenRoom {
  private var rooms: RoomRegistry
  private var gateway: Gateway
  private let clients = CountingClients()
  private var turn = Turn(environment: .counted())
  private var inbox: [GatewayMessage] = []
  private let presenter: MemberID
  private let role: UInt16
  private var now: Double

  let memberCount = 3
  /// The number of driven frames that were sent to members.
  var frames: Int { clients.frames }

  init() throws {
    let company = try Company(.hostLeads, .follow, .follow)
    rooms = company.rooms.registry
    gateway = company.rooms.gateway
    presenter = company.anna
    role = company.page(of: company.anna).role.number
    now = company.now
  }

  /// Puts the finger down on a page.
  mutating func begin() throws {
    play([message(.down, x: 850)] + (1...10).map { message(.move, x: 850 - 8 * Double($0)) })
  }

  /// Messages of a finger that moves to the left and back to where it was, without turning the leaf
  /// past the spine: that would change the caption.
  func script(_ count: Int) -> [UnsafeRawBufferPointer] {
    (0..<count).map { step in
      let way = Double(min(step, count - step))
      return message(.move, x: 770 - way)
    }
  }

  /// Returns a message that lasts as long as the program.
  private func message(_ phase: PointerPhase, x: Double) -> UnsafeRawBufferPointer {
    let sample = PointerSample(id: 0, phase: phase, x: x, y: 400)
    let bytes = ClientMessage.pointers(Pointers(target: 0, samples: [sample])).encoded(role: role)
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    copy.copyBytes(from: bytes)
    return UnsafeRawBufferPointer(copy)
  }

  mutating func play(_ script: [UnsafeRawBufferPointer]) {
    var place = 0
    while place < script.count {
      send(script[place])
      place += 1
    }
  }

  private mutating func send(_ bytes: UnsafeRawBufferPointer) {
    now += 1.0 / 60
    gateway.received(bytes, from: presenter.client, now: now, clients: clients)
    repeat {
      gateway.drainMessages(into: &inbox)
      var place = 0
      while place < inbox.count {
        rooms.receive(inbox[place], in: &turn[at: now])
        place += 1
      }
      gateway.deliver(turn.effects.messages, now: now, clients: clients)
      turn.effects.removeAll()
    } while gateway.hasMessages
    if let wake = rooms.wakeTime, wake <= now { rooms.wake(in: &turn[at: now]) }
    gateway.deliver(turn.effects.messages, now: now, clients: clients)
    turn.effects.removeAll()
  }
}

/// Clients that accept everything and count the driven frames.
private final class CountingClients: Clients {
  private(set) var frames = 0

  func send(_ bytes: UnsafeRawBufferPointer, to client: ClientID) -> Bool {
    if bytes[0] == 0x84 { frames += 1 }
    return true
  }

  func close(_ client: ClientID, code: UInt16, reason: String) {}
}

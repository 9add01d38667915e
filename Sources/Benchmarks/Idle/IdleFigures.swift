internal import CLoad
internal import Fabric
internal import Foundation
internal import Scene
internal import Wire

/// Measures what rooms and members at rest occupy, and what it costs when many members join.
enum IdleFigures {
  private static let roomCount = 400
  private static let memberCount = 800
  private static let joinCount = 1000

  static func report() throws {
    reportRooms()
    try reportMembers()
    try reportJoins()
  }

  /// Rooms whose owners have opened a book, turned pages and gone on reading.
  private static func reportRooms() {
    let rooms = IdleRooms(pages: 200)
    // The first rooms let everything grow that the rooms share.
    for _ in 0..<50 { read(in: rooms) }
    rooms.rest()
    let before = Memory()
    for _ in 0..<roomCount { read(in: rooms) }
    rooms.rest()
    let read = Memory() - before
    Table.row(
      "memory of an idle room with its owner and an open book",
      asked: "<= 24 kB",
      read.row(each: roomCount)
    )
    let empty = Memory()
    let owners = rooms.present.suffix(roomCount)
    for id in owners { rooms.leave(id) }
    rooms.rest(seconds: 120)
    let left = Memory() - empty + read
    Table.row("the same room after its owner has left", left.row(each: roomCount))
  }

  private static func read(in rooms: IdleRooms) {
    let owner = rooms.join(reader: "the-reader-\(rooms.present.count)-of-this-house")
    rooms.say(.go(book: "0/0", opens: true, page: 20), owner)
    rooms.rest()
    for _ in 0..<3 {
      rooms.say(.key(.arrowRight), owner)
      rooms.rest()
    }
  }

  /// Members of one room, after the presenter has turned pages.
  private static func reportMembers() throws {
    let rooms = IdleRooms(pages: 200)
    let (presenter, link) = try shareBook(in: rooms)
    for _ in 0..<50 { follow(link, in: rooms) }
    turn(presenter, in: rooms)
    let before = Memory()
    for _ in 0..<memberCount { follow(link, in: rooms) }
    turn(presenter, in: rooms)
    Table.row(
      "memory of an idle member in a room with an open book",
      asked: "<= 8 kB",
      (Memory() - before).row(each: memberCount)
    )
  }

  private static func shareBook(in rooms: IdleRooms) throws -> (MemberID, String) {
    let presenter = rooms.join(reader: "the-reader-that-presents")
    rooms.say(.go(book: "0/0", opens: true, page: 20), presenter)
    rooms.rest()
    rooms.say(.share, presenter)
    rooms.say(.settings(RoomSettings(policy: .hostLeads)), presenter)
    rooms.rest()
    guard let link = rooms.links?.follow, !link.isEmpty else { throw IdleError.noLink }
    return (presenter, link)
  }

  private static func follow(_ link: String, in rooms: IdleRooms) {
    let id = rooms.join(room: rooms.name, key: link, reader: "follower-\(rooms.present.count)-here")
    rooms.report(id)
  }

  /// Turns pages, which all members report to have seen.
  private static func turn(_ presenter: MemberID, in rooms: IdleRooms) {
    rooms.rest()
    for _ in 0..<3 {
      rooms.say(.key(.arrowRight), presenter)
      rooms.rest()
      for id in rooms.present { rooms.report(id) }
    }
    rooms.rest(seconds: 40)
  }

  /// Many members that join one room within two seconds.
  private static func reportJoins() throws {
    for count in [joinCount / 4, joinCount] {
      let rooms = IdleRooms(pages: 200)
      let (_, link) = try shareBook(in: rooms)
      rooms.forget()
      for _ in 0..<count {
        follow(link, in: rooms)
        rooms.pass(2 / Double(count))
      }
      rooms.pass(3)
      let each = Double(count)
      Table.row(
        "\(count) members join a room within 2 s",
        asked: "linear",
        "\(Table.number(Double(rooms.messages) / each, 1)) messages and "
          + "\(Table.number(Double(rooms.bytes) / each / 1000, 1)) kB a join; "
          + "\(Table.number(rooms.spent * 1e3, 0)) ms of CPU, "
          + "\(Table.number(rooms.spent / each * 1e6, 0)) us a join"
      )
      rooms.forget()
      for _ in 0..<10 {
        for id in rooms.present { rooms.report(id) }
        rooms.pass(1)
      }
      Table.row(
        "\(count) members of a room report once a second, at rest",
        asked: "linear",
        "\(Table.number(Double(rooms.messages) / each / 10, 2)) messages and "
          + "\(Table.number(Double(rooms.bytes) / each / 10, 0)) bytes to a member a second; "
          + "\(Table.number(rooms.spent / each / 10 * 1e6, 2)) us a report"
      )
    }
  }
}

/// The memory of this process.
private struct Memory {
  private var heap = Int(clamping: load_heap_bytes())
  private var resident = Memory.residentBytes

  static func - (later: Memory, earlier: Memory) -> Memory {
    var difference = later
    difference.heap -= earlier.heap
    difference.resident -= earlier.resident
    return difference
  }

  static func + (one: Memory, other: Memory) -> Memory {
    var sum = one
    sum.heap += other.heap
    sum.resident += other.resident
    return sum
  }

  func row(each count: Int) -> String {
    "\(Table.number(Double(heap) / Double(count) / 1000, 1)) kB of heap, "
      + "\(Table.number(Double(resident) / Double(count) / 1000, 1)) kB resident "
      + "(mean of \(count))"
  }

  private static var residentBytes: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}

enum IdleError: Error {
  /// A shared room has sent no link.
  case noLink
}

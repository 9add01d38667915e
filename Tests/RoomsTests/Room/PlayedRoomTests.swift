import Fabric
import Motion
import Scene
import Staging
import TestVectors
import Testing
import Wire

@testable import Rooms

@Suite("A recording with another library")
struct PlayedRoomTests {
  @Test("a recording in which the sharing of a book ended is played while a leaf flies")
  func endedInIt() throws {
    var company = try Company(.hostLeads, .follow)
    try company.say(.record(true), company.anna, pause: 0.05)
    try company.say(.endReading, company.anna, pause: 0.1)
    try company.say(.key(.escape), company.anna, pause: 3)
    try company.say(.go(book: "2/1", opens: true, page: 900), company.anna, pause: 8)
    try company.say(.record(false), company.anna)
    let transcript = try company.recorded()
    try company.say(.go(book: "0/4", opens: true, page: 20), company.anna, pause: 8)
    try company.say(.key(.arrowRight), company.anna, pause: 0.05)
    try company.play(transcript)
    try company.checkLibrary()
    try company.pass(transcript.length + 1)
    try company.checkLibrary()
    #expect(company.room?.stage.openBook == "2/1")
    // Seeks back and forth across the change, while frames are on their way and while it is paused.
    for order in [PlaybackOrder.play, .seek(0.01), .pause, .seek(9), .play, .seek(0), .seek(0.04)] {
      try company.say(.play(order), company.anna, pause: 0.03)
      try company.say(.point(at: Point(x: 600, y: 300)), company.anna)
      try company.checkLibrary()
    }
    try company.say(.play(.close), company.anna, pause: 3)
    try company.checkLibrary()
  }

  @Test("an update of the order of reading waits until the recording is closed")
  func orderedByReading() throws {
    var company = try Company()
    try company.say(.arrange(Arrangement(order: .lastRead)), company.anna, pause: 3)
    try company.say(.record(true), company.anna, pause: 0.5)
    try company.say(.key(.escape), company.anna, pause: 3)
    try company.say(.key(.escape), company.anna, pause: 3)
    try company.say(.record(false), company.anna)
    let transcript = try company.recorded()
    try company.play(transcript)
    var next = Catalogue.varied
    next.collections[0].books[2].lastRead = 99
    company.rooms.replace(catalogue: next, now: company.now, into: &company.effects)
    try company.carryOut()
    try company.pass(transcript.length + 5)
    try company.checkLibrary()
    try company.say(.play(.close), company.anna, pause: 5)
    try company.checkLibrary()
  }

  @Test("the previous order and filter apply again when the recording is closed")
  func arrangedBefore() throws {
    var company = try Company()
    try company.say(.key(.escape), company.anna, pause: 3)
    try company.say(.arrange(Arrangement(filter: "book 1")), company.anna, pause: 3)
    let filtered = company.books(of: company.anna)
    #expect(filtered == ["0/1", "2/1"])
    try company.say(.record(true), company.anna, pause: 0.5)
    try company.say(.record(false), company.anna)
    try company.play(try company.recorded())
    // The books change in the meantime, so the previously computed arrangement is outdated.
    var next = Catalogue.varied
    next.collections[0].books[2].title = "Another"
    company.rooms.replace(catalogue: next, now: company.now, into: &company.effects)
    try company.carryOut()
    try company.say(.play(.close), company.anna, pause: 5)
    #expect(company.books(of: company.anna) == filtered)
  }

  @Test(
    "a recording moves no bookmark of its spectators, but the one in the book that it leaves open"
  )
  func bookmarks() throws {
    var company = try Company()
    try company.say(.record(true), company.anna, pause: 0.5)
    for (book, page) in [("2/1", 21), ("2/0", 5), ("0/4", 31)] {
      try company.say(.go(book: book, opens: true, page: UInt32(page)), company.anna, pause: 8)
    }
    try company.say(.record(false), company.anna)
    let transcript = try company.recorded()
    for (book, page) in [("2/1", 41), ("2/0", 1), ("0/4", 11), ("0/0", 5)] {
      try company.say(.go(book: book, opens: true, page: UInt32(page)), company.anna, pause: 8)
    }
    try company.play(transcript)
    try company.pass(transcript.length + 1)
    // Another recording that is played meanwhile changes nothing.
    try company.play(transcript)
    try company.pass(transcript.length + 1)
    company.wants.removeAll()
    try company.say(.play(.close), company.anna, pause: 3)
    #expect(company.room?.stage.openBook == "0/4" && company.room?.stage.firstPage == 31)
    #expect(company.storedSpreads(of: "0/4") == [15], "where another process would continue")
    for (book, page) in [("2/1", 41), ("2/0", 1), ("0/0", 5)] {
      try company.say(.go(book: book, opens: true, page: nil), company.anna, pause: 8)
      #expect(company.room?.stage.firstPage == page, "\(book)")
    }
  }

  @Test("a recorded shelf shows only spines of books that were on it")
  func recordedLedge() throws {
    let now = ShownLibrary(.varied)
    func ledge(of books: [Int]) -> String? {
      var outline = Catalogue.varied.outline
      outline.collections[0].books = books.map { outline.collections[0].books[$0] }
      let recorded = ShownLibrary(recorded: LibraryLayout(outline), in: now)
      return recorded.ledgeURL(ofCollection: 0)
    }
    #expect(ledge(of: [4, 3, 2, 1, 0]) == "/ledges/0.svg")
    #expect(ledge(of: [1, 4]) == "/ledges/book/0/4.svg")
    #expect(ledge(of: []) == "")
  }

  @Test(
    "after any recording, sharing, playing, seeking and changing, the library matches the stage",
    arguments: seeds(1...24)
  )
  func whatever(seed: UInt64) throws {
    var walk = PlayedWalk(seed: seed, company: try Company(.hostLeads, .host))
    do {
      for _ in 0..<220 { try walk.step() }
      try walk.end()
    } catch { Issue.record("SEED=\(seed): \(error)") }
    #expect(walk.plays > 0, "SEED=\(seed)")
  }
}

extension Company {
  mutating func play(_ transcript: Transcript) throws {
    let now = now
    rooms.host(now: now, into: &effects) { [anna] rooms, turn in
      let playback = Playback(transcript, numbers: rooms.library.numbers, at: 0)
      rooms.play(playback, in: "R", for: anna, in: &turn)
    }
    try carryOut()
  }

  /// Checks that every shown catalogue has the layout of its stage.
  func checkLibrary() throws {
    for session in room.map({ [$0.shared] + $0.wanderers.sessions }) ?? [] {
      guard session.selection.shown.layout == session.stage.library else {
        throw Violation("the catalogue that is shown is not the stage's")
      }
    }
  }
}

/// Two members that do anything possible with recordings, and a library that changes in the
/// meantime.
struct PlayedWalk {
  var company: Company
  private var random: SplitMix64
  private var transcripts: [Transcript] = []
  private var isRecording = false
  private(set) var plays = 0

  init(seed: UInt64, company: Company) {
    self.company = company
    random = SplitMix64(seed: seed)
  }

  mutating func step() throws {
    if company.page(of: company.ben).closed != nil {
      try company.lose(company.ben)
      let key = company.room?.isShared == true ? company.link(.host) : ""
      try company.come(company.ben, key: key)
    }
    try action()
    try company.checkLibrary()
    let pauses = [0, 0.01, 0.03, 0.1, 0.3, 1.5]
    try company.pass(pauses.randomElement(using: &random) ?? 0)
    try company.checkLibrary()
  }

  private mutating func action() throws {
    let one = random.happens(0.8) ? company.anna : company.ben
    switch Int.random(in: 0..<22, using: &random) {
    case 0: try company.say(.share, one)
    case 1 where random.happens(0.5): try company.say(.endReading, company.anna)
    case 2, 3: try record(one)
    case 4, 5:
      guard let transcript = transcripts.randomElement(using: &random) else { return }
      plays += 1
      try company.play(transcript)
    case 6: try company.say(.play(.seek(.random(in: -1...6, using: &random))), one)
    case 7: try company.say(.play(random.happens(0.5) ? .play : .pause), one)
    case 8: try company.say(.play(.close), one)
    case 9: try company.say(.wander(random.happens(0.6)), company.ben)
    case 10: try changeLibrary()
    case 11:
      let settings = RoomSettings(policy: .hostLeads, sharesShelf: random.happens(0.5))
      try company.say(.settings(settings), company.anna)
    case 12:
      let order = Arrangement.Order.allCases.randomElement(using: &random) ?? .lastRead
      let filter = random.happens(0.7) ? "" : "book 1"
      try company.say(.arrange(Arrangement(order: order, filter: filter)), one)
    case 13: try company.say(.point(at: Point(x: 500, y: 350)), one)
    case 14: try company.say(.visibility(isVisible: random.happens(0.7)), company.ben)
    case 15, 16: try company.say(.key(Key.allCases.randomElement(using: &random) ?? .enter), one)
    case 17: try company.drag(one)
    case 18: try company.finger(.up, 400, one)
    default:
      let books = ["0/0", "0/4", "1/0", "2/1", "2/0", "7/7"]
      let page = random.happens(0.5) ? nil : UInt32.random(in: 0...900, using: &random)
      let book = books.randomElement(using: &random) ?? ""
      try company.say(.go(book: book, opens: random.happens(0.8), page: page), one)
    }
  }

  private mutating func record(_ one: MemberID) throws {
    if !isRecording { company.wants = [] }
    try company.say(.record(!isRecording), one)
    isRecording = company.room?.recording.isRecorded ?? false
    if !isRecording, let transcript = try? company.recorded() { transcripts.append(transcript) }
  }

  private mutating func changeLibrary() throws {
    var shelves: [[Int]] = [[12, 1, 2, 3, 100], [], [7, 2000]]
    for shelf in shelves.indices {
      shelves[shelf].removeAll { _ in random.happens(0.25) }
      if random.happens(0.3) { shelves[shelf].append(.random(in: 1...30, using: &random)) }
    }
    if random.happens(0.3) { shelves.removeLast() }
    var next = Catalogue.sample(shelves)
    for shelf in next.collections.indices {
      for book in next.collections[shelf].books.indices where random.happens(0.4) {
        next.collections[shelf].books[book].lastRead = .random(in: 0...99, using: &random)
      }
    }
    company.rooms.replace(catalogue: next, now: company.now, into: &company.effects)
    try company.carryOut()
  }

  mutating func end() throws {
    for one in [company.anna, company.ben] { try company.finger(.up, 400, one) }
    try company.say(.play(.close), company.anna, pause: 3)
    try company.say(.visibility(isVisible: true), company.ben)
    for one in [company.anna, company.ben] {
      try company.say(.wander(false), one, pause: 20)
    }
    guard company.page(of: company.ben).closed == nil else { return }
    guard company.seeTheSame(company.anna, company.ben) else {
      throw Violation("two do not see the same in the end")
    }
  }
}

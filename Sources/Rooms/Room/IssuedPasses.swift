internal import Fabric
internal import Scene
internal import Staging
internal import Wire

/// The passes of the members of a room; without a key of the library there is nothing to open.
struct IssuedPasses: Sendable {
  /// What decides what all passes open.
  struct Basis: Equatable, Sendable {
    var shared: Int
    /// The book that the room is leaving, which is closed to guests.
    var from: String?
  }

  /// What the pass of each member opens.
  fileprivate var parts: [MemberID: [Pass.Part]] = [:]
  fileprivate var basis: Basis?
  /// The members that have left, or see something else than before.
  fileprivate var stale: Set<MemberID> = []

  /// Records that a member has left, or sees something else than before.
  mutating func noteChange(of id: MemberID) {
    if parts[id] != nil { stale.insert(id) }
  }
}

extension Room {
  /// What decides what passes open at present.
  private var passBasis: IssuedPasses.Basis {
    IssuedPasses.Basis(
      shared: shared.selection.changeCount,
      from: transition?.from
    )
  }

  /// Whether passes have to be compared with what members are shown now.
  var hasStalePasses: Bool {
    !roster.passes.parts.isEmpty
      && (!roster.passes.stale.isEmpty || roster.passes.basis != passBasis)
  }

  /// Returns the signed pass of a member; empty for somebody that is not in the room.
  mutating func pass(for id: MemberID, in turn: Turn) -> String {
    guard let person = person(id) else { return "" }
    let parts = partsShown(to: person)
    if turn.environment.keys.library != nil {
      if roster.passes.parts.isEmpty { roster.passes.basis = passBasis }
      roster.passes.parts[id] = parts
    }
    let date = turn.now + turn.environment.unixOffset
    return turn.environment.sign(Pass(of: id, issued: date, parts: parts))
  }

  /// Ends the passes of members that left or may see less than before, and sends the others new
  /// ones if theirs open something else.
  /// - Parameters:
  ///   - isDue: Whether all get new ones, because theirs are old.
  ///   - place: The index before which to insert messages: a page needs the pass before the frame
  ///     that shows a book.
  ///   - turn: The time, and what is to be done.
  /// - Complexity: O(n log n) in the members that left or see something else; in all of them if the
  ///   shared session shows something else.
  mutating func renewPasses(isDue: Bool = false, before place: Int, in turn: inout Turn) {
    var place = place
    var ended: [MemberID] = []
    let isForAll = isDue || roster.passes.basis != passBasis
    let ids = isForAll ? Set(roster.passes.parts.keys) : roster.passes.stale
    roster.passes.stale = []
    for id in ids.sorted() {
      guard let old = roster.passes.parts[id] else { continue }
      guard let person = person(id) else {
        roster.passes.parts[id] = nil
        ended.append(id)
        continue
      }
      let parts = partsShown(to: person)
      if !old.allSatisfy(parts.contains) { ended.append(id) }
      roster.passes.parts[id] = parts
      guard person.isHere, isDue || parts != old else { continue }
      let text = pass(for: id, in: turn)
      turn.effects.messages.send(to: id, before: place) {
        ServerMessage.pass(text).encode(into: &$0)
      }
      place += 1
    }
    roster.passes.basis = passBasis
    if !ended.isEmpty {
      let date = turn.now + turn.environment.unixOffset
      turn.effects.list.append(.endPasses(ended, before: date))
    }
  }

  /// Returns the parts of the library that a member may see: with the library's key all of them,
  /// and otherwise what its session may show, whatever its filter, but not the book that the room
  /// is leaving.
  private func partsShown(to person: Person) -> [Pass.Part] {
    if person.opensLibrary { return [.library] }
    return reading(person.id) { session in
      let library = session.isPlayback ? session.selection.shown : session.selection.library
      var parts: [Pass.Part] = []
      if let book = session.stage.openBook, book != transition?.from,
        library.layout.index(of: book) != nil || library.missing.contains(book)
      {
        parts.append(.book(book))
      }
      for (index, shelf) in library.layout.shelves.enumerated() {
        guard parts.count < Pass.partsMax else { break }
        let collection = shelf.outline
        if library.ledgeURL(ofCollection: index)?.hasPrefix("/ledges/\(collection.id).") == true {
          parts.append(.collection(collection.id))
        } else {
          let books = collection.books.lazy.map(\.id).filter { $0 != transition?.from }
          parts += books.prefix(Pass.partsMax).map(Pass.Part.book).filter { !parts.contains($0) }
        }
      }
      return Array(parts.prefix(Pass.partsMax))
    }
  }
}

import Fabric
import Scene
import Staging
import Wire

@testable import Rooms

/// The part of the library that members see: guests only what is shared, hosts everything.
extension Crowd {
  /// Returns the books that the guests of a room may see now, and those of the shelf.
  private func shared(in room: Room) -> (books: Set<String>, shelf: Set<String>) {
    guard let record = room.record else { return ([], []) }
    let books = [record.book] + (room.transition.map { [$0.from] } ?? [])
    let shelf =
      room.library.shelf(of: record.book, preferring: record.collection)?.content.books
      .map(\.id) ?? []
    return (Set(books), Set(shelf))
  }

  /// Checks that guests receive elements only of books that are shared now or were before this
  /// step.
  func checkIntroduced(_ parcel: CrowdParcel, to ids: some Sequence<MemberID>) throws {
    guard case .elements(let elements) = parcel.message else { return }
    for id in ids {
      guard let room = room(of: id), room.record != nil, room.shared.playback == nil,
        let person = room.person(id), person.grant < .host,
        // A member that wanders out of a recording continues in the library of the recording.
        !(room.wanderers.contains(id) && room.recording.hasPlayed)
      else { continue }
      var allowed = shared(in: room).books.union(sharedBefore[room.name] ?? [])
      if room.isOut(id) || outBefore.contains(id) {
        allowed.formUnion(shared(in: room).shelf)
        // The ledge of that shelf.
        if let record = room.record { allowed.insert("/ledges/\(record.collection).svg") }
      }
      for element in elements {
        guard let book = Company.book(in: element.imageURL) else { continue }
        // A book that has left the library is shown until the shelf rests.
        let isLeaving = room.isOut(id) && room.library.shelf(of: book, preferring: "") == nil
        guard allowed.contains(book) || isLeaving && room.waitsForLibrary(id) else {
          throw Violation("guest \(id.rawValue) is shown \(element.imageURL), shared is \(allowed)")
        }
        counts.shownToGuests += 1
      }
    }
  }

  /// Records the books that are shared at the end of a step.
  func noteShared(_ room: Room) {
    let books = shared(in: room).books
    if room.transition != nil, sharedBefore[room.name] != books { counts.brought += 1 }
    sharedBefore[room.name] = books
    for person in room.roster.people {
      if room.isOut(person.id) {
        outBefore.insert(person.id)
      } else {
        outBefore.remove(person.id)
      }
    }
  }

  /// Checks the books in the sessions of a shared room.
  func checkShown(_ room: Room) throws {
    guard let record = room.record, room.shared.playback == nil else {
      closedSince[room.name] = nil
      return
    }
    let (books, shelf) = shared(in: room)
    guard Set(room.shared.books).isSubset(of: books) else {
      throw Violation("\(room.name) shares \(books), and \(room.shared.books) are shown")
    }
    let isOpen = room.shared.stage.openBook == record.book || room.transition != nil
    let isOpening = isOpen || !room.hasBook || !room.shared.stage.isSettled(at: now)
    // A finger may stop the book on its way; the room opens it when it wakes.
    let closed = isOpening ? nil : closedSince[room.name] ?? now
    closedSince[room.name] = closed
    guard now - (closed ?? now) < 0.5 else {
      throw Violation("the shared book of \(room.name) is closed")
    }
    for id in room.wanderers.ids where !room.recording.hasPlayed {
      guard let own = room.wanderers[id]?.session else { continue }
      let isHost = room.person(id)?.grant == .host
      let seen = Set(own.books)
      if !room.isOut(id) {
        guard seen.isSubset(of: books) else { throw Violation("\(id.rawValue) is out secretly") }
      } else if isHost {
        // Before the library's last change is shown, or while a filter is set, the member sees
        // others.
        let all = Set(room.library.catalogue.collections.flatMap(\.books).map(\.id))
        guard
          own.selection.isWaiting || !own.selection.arrangement.filter.isEmpty || seen == all
        else {
          throw Violation(
            "host \(id.rawValue) sees \(seen.sorted()) of \(all.sorted()) in \(room.name)"
          )
        }
        counts.hostsOut += 1
      } else {
        guard own.selection.isWaiting || seen.isSubset(of: shelf), room.settings.sharesShelf
        else { throw Violation("guest \(id.rawValue) sees \(seen), shared is \(shelf)") }
        counts.guestsOut += 1
      }
    }
  }
}

extension StageSession {
  fileprivate var books: [String] {
    selection.shown.catalogue.collections.flatMap(\.books).map(\.id)
  }
}

extension Room {
  /// Returns whether a member does not yet see the last change of the library.
  fileprivate func waitsForLibrary(_ id: MemberID) -> Bool {
    session(of: id).selection.isWaiting
  }

  /// Whether the shared book is shown, or could be: the library has it and had it at the last
  /// change.
  fileprivate var hasBook: Bool {
    guard let record else { return false }
    return !shared.selection.isWaiting && library.layout.index(of: record.book) != nil
      && shared.selection.shown.layout.index(of: record.book) != nil
  }
}

internal import Fabric
package import Scene
internal import Staging

/// The state from which the next owner of a room continues: the people, the presenter, and the open
/// book.
///
/// The owner's bookmark (`Bookmark`) says where the book is open. The state leaves out what a
/// gesture in progress would need; the next owner begins at rest. Times are Unix times in seconds.
package struct RoomState: Codable, Equatable, Sendable {
  /// A person in the room, present or away.
  struct Attendee: Codable, Equatable, Sendable {
    var id: UInt32
    var reader: ReaderID
    var address: String
    var opensLibrary: Bool
    var name: String
    var colour: UInt8
    var grant: Grant
    /// The digests of the tokens with which the person can rejoin.
    var tokens: [[UInt8]]
    var isRaised: Bool
  }

  struct Code: Codable, Equatable, Sendable {
    var letters: String
    var secret: String
    var until: Double
  }

  /// The room's name.
  package let name: String
  /// When the state was taken.
  package internal(set) var time: Double
  /// The reader whose bookmarks say where the book is open.
  package let owner: ReaderID
  /// The record of a shared room; nil for a room that is not shared.
  var record: RoomRecord?
  var settings: RoomSettings
  var code: Code?
  var people: [Attendee]
  /// The member that presents; nil if nobody does.
  var presenter: UInt32?
  /// The members that ask for the book.
  var asking: [UInt32]
  /// The book that is open; nil if none is.
  var openBook: String?

  /// The room that a code opens.
  package struct CodeEntry: Codable, Equatable, Sendable {
    /// The code.
    package let letters: String
    /// The room.
    package let room: String
    /// When the code expires.
    package let until: Double
  }

  /// The code that opens the room; nil if there is none.
  package var codeEntry: CodeEntry? {
    code.map { CodeEntry(letters: $0.letters, room: name, until: $0.until) }
  }

  /// Whether another state differs in nothing but its time.
  func isSame(as other: RoomState) -> Bool {
    var other = other
    other.time = time
    return other == self
  }

  /// Removes the half of the people that matters least for the next owner: those that may do least,
  /// and of these the last ones; the presenter stays longest.
  ///
  /// They join again with their links.
  package mutating func removeHalfOfPeople() {
    let inOrder = people.sorted { one, other in
      guard (one.id == presenter) == (other.id == presenter) else { return one.id == presenter }
      return (other.grant, one.id) < (one.grant, other.id)
    }
    let kept = Set(inOrder.prefix(people.count / 2).map(\.id))
    people.removeAll { !kept.contains($0.id) }
    asking.removeAll { !kept.contains($0) }
  }
}

extension Room {
  /// The book that is open; nil if there is none, or while a recording is played.
  var openBook: String? { shared.isPlayback ? nil : stage.openBook }

  /// Returns the state of the room.
  /// - Complexity: O(people)
  func state(in turn: Turn) -> RoomState {
    RoomState(
      name: name,
      time: turn.now + turn.environment.unixOffset,
      owner: owner,
      record: record,
      settings: settings,
      code: sharing.code.map {
        .init(letters: $0.letters, secret: $0.secret, until: $0.until + turn.environment.unixOffset)
      },
      people: roster.people.map { person in
        .init(
          id: person.id.rawValue,
          reader: person.reader,
          address: person.address,
          opensLibrary: person.opensLibrary,
          name: person.name,
          colour: person.colour,
          grant: person.grant,
          tokens: person.resumption.tokens,
          isRaised: person.isRaised
        )
      },
      presenter: leadership.presenter?.rawValue,
      asking: leadership.asking.map(\.rawValue),
      openBook: openBook
    )
  }

  /// Continues a state: its people are away and may rejoin, and its book is open where the owner's
  /// bookmark is.
  init(
    _ state: RoomState,
    bookmarks: [Bookmark],
    library: ShownLibrary,
    in turn: Turn,
    notes: Bool
  ) {
    self.init(
      name: state.name,
      owner: state.owner,
      library: library,
      at: turn.now,
      notes: notes,
      bookmarks: bookmarks,
      record: state.record
    )
    if let code = state.code {
      let until = code.until - turn.environment.unixOffset
      sharing.resume(RoomCode(letters: code.letters, secret: code.secret, until: until))
    }
    if record == nil, let book = state.openBook { shared.open(book, at: turn.now) }
    for person in state.people {
      let id = MemberID(person.id)
      roster.restore(person, at: turn.now)
      leadership.come(id, grant: person.grant, at: turn.now)
    }
    if let presenter = state.presenter.map(MemberID.init), roster[presenter] != nil {
      leadership.presenter = presenter
    }
    leadership.asking = state.asking.map(MemberID.init).filter { roster[$0] != nil }
    for person in roster.people { leadership.lose(person.id, at: turn.now) }
  }
}

extension Roster {
  /// Adds a person that is away and may rejoin.
  mutating func restore(_ person: RoomState.Attendee, at now: Double) {
    var resumption = Resumption(token: person.tokens.first ?? [])
    if let used = person.tokens.dropFirst().first {
      _ = resumption.comeBack(by: used, next: person.tokens[0])
    }
    resumption.lose(at: now)
    add(
      Person(
        id: MemberID(person.id),
        reader: person.reader,
        address: person.address,
        opensLibrary: person.opensLibrary,
        name: person.name,
        colour: person.colour,
        grant: person.grant,
        resumption: resumption,
        isRaised: person.isRaised
      )
    )
  }
}

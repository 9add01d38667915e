package import Fabric
internal import Scene
internal import Staging

/// The members of all rooms, by their resume tokens and by the passes that open books over HTTP.
///
/// Members whose connection is lost are included for as long as they may rejoin.
struct Presences: Sendable {
  struct Presence: Sendable {
    let room: String
    let member: MemberID
    let pass: String
  }

  private var byToken: [[UInt8]: Presence] = [:]
  /// The digests of the tokens of all members with the same pass: the windows of one reader.
  private var tokens: [String: Set<[UInt8]>] = [:]

  /// The member that a resume token brings back, by the token's digest; nil if there is none.
  subscript(token: [UInt8]) -> Presence? { byToken[token] }

  /// The number of members in all rooms.
  var count: Int { byToken.count }

  /// The members with a pass, in no particular order.
  func all(with pass: String) -> [Presence] {
    (tokens[pass] ?? []).compactMap { byToken[$0] }
  }

  /// Adds a member of a room under the digest of its resume token.
  mutating func note(_ presence: Presence, token: [UInt8]) {
    forget(token)
    byToken[token] = presence
    tokens[presence.pass, default: []].insert(token)
  }

  /// Removes the member with a resume token, because the token is spent or the member has left.
  mutating func forget(_ token: [UInt8]) {
    guard let presence = byToken.removeValue(forKey: token) else { return }
    tokens[presence.pass]?.remove(token)
    if tokens[presence.pass]?.isEmpty == true { tokens[presence.pass] = nil }
  }
}

extension RoomRegistry {
  /// Answers a question that an HTTP request requires.
  package func answer(_ question: HostQuestion) -> Bool {
    switch question {
    case .isPass(let pass): !presences.all(with: pass).isEmpty
    case .opensBook(let book, let pass): opens(book: book, to: pass)
    case .opensCollection(let collection, let pass): opens(collection: collection, to: pass)
    case .shows(let page, let book): shows(book: book, page: page)
    }
  }

  /// Whether a pass opens a book.
  ///
  /// The pass of a member that has sent the library's key opens every book. Any other pass opens
  /// the books that the room shows to its member, until the member leaves, but not the one that the
  /// room is leaving. The cost is proportional to the number of that reader's windows.
  func opens(book: String, to pass: String) -> Bool {
    opens(to: pass) { room, shown in
      shown.book(named: book) != nil && room.transition?.from != book
    }
  }

  /// Whether a pass opens the drawing of a collection's ledge, which names all its books.
  ///
  /// The pass of a member that has sent the library's key opens every ledge. Any other pass opens
  /// those of the collections that the room shows to its member in full, until the member leaves.
  /// The cost is proportional to the number of that reader's windows.
  func opens(collection: String, to pass: String) -> Bool {
    opens(to: pass) { $1.showsLedge(of: collection) }
  }

  private func opens(to pass: String, where isShown: (Room, ShownLibrary) -> Bool) -> Bool {
    presences.all(with: pass).contains { presence in
      guard let room = rooms[presence.room], let person = room.person(presence.member) else {
        return false
      }
      return person.opensLibrary
        || isShown(room, room.reading(presence.member) { $0.selection.shown })
    }
  }
}

extension ShownLibrary {
  /// Whether the ledge that is shown for a collection is the collection's own.
  ///
  /// If a single book is shared, the ledge of its shelf shows that book alone.
  fileprivate func showsLedge(of collection: String) -> Bool {
    guard let index = layout.collection(named: collection) else { return false }
    return ledgeURL(ofCollection: index)?.hasPrefix("/ledges/\(collection).") ?? false
  }
}

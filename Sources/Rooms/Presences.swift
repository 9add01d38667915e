internal import Scene

/// Where the members of all rooms are, by what each shows: the token that brings it back, and the
/// pass that opens books to it over HTTP.
///
/// Those are members, too, whose connection is lost and who may come back.
struct Presences: Sendable {
  struct Presence: Sendable {
    let room: String
    let member: MemberID
    let pass: String
  }

  private var byToken: [[UInt8]: Presence] = [:]
  /// The digests of the tokens of all that show the same pass: the windows of one reader.
  private var tokens: [String: Set<[UInt8]>] = [:]

  /// Who comes back by a token, by its digest; nil if nobody does.
  subscript(token: [UInt8]) -> Presence? { byToken[token] }

  /// How many are in rooms.
  var count: Int { byToken.count }

  /// Whoever shows a pass, in no order.
  func all(with pass: String) -> [Presence] {
    (tokens[pass] ?? []).compactMap { byToken[$0] }
  }

  /// A member is in a room, and comes back by a token.
  mutating func note(_ presence: Presence, token: [UInt8]) {
    forget(token)
    byToken[token] = presence
    tokens[presence.pass, default: []].insert(token)
  }

  /// Nobody comes back by a token any more, or by another one.
  mutating func forget(_ token: [UInt8]) {
    guard let presence = byToken.removeValue(forKey: token) else { return }
    tokens[presence.pass]?.remove(token)
    if tokens[presence.pass]?.isEmpty == true { tokens[presence.pass] = nil }
  }
}

extension RoomRegistry {
  /// Whether somebody who is in a room shows this pass.
  public func isPass(_ pass: String) -> Bool { !presences.all(with: pass).isEmpty }

  /// Whether a pass opens a book: who has shown what the library asks for sees all of it, and who
  /// has not what the room shows it, for as long as it is a member.
  ///
  /// Costs as much as there are windows of that reader and books that they see.
  public func opens(_ book: String, to pass: String) -> Bool {
    presences.all(with: pass).contains { presence in
      rooms[presence.room]?.opens(book, to: presence.member) ?? false
    }
  }
}

extension Room {
  /// Whether a member may see a book that it knows of.
  func opens(_ book: String, to id: MemberID) -> Bool {
    guard let person = person(id) else { return false }
    return person.opensLibrary || session(of: id).shown.book(named: book) != nil
  }
}

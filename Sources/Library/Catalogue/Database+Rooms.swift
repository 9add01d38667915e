internal import Scene

/// Rooms, their keys and their places as rows.
extension Database {
  /// Returns the stored rooms, or only that with a name.
  func allRooms(named name: String? = nil) throws(DatabaseError) -> [RoomRecord] {
    let keys = try rows("SELECT room, digest, what, expires FROM room_key ORDER BY room, ord") {
      (
        room: $0.text(0),
        key: RoomRecord.Key(digest: $0.blob(1), grant: Grant($0.int(2)), expires: $0.real(3))
      )
    }
    // A key that is not a digest opens nothing and could not be stored again.
    let keysOfRoom = Dictionary(grouping: keys.filter { $0.key.digest.count == 32 }, by: \.room)
    return try rows(
      """
      SELECT name, policy, is_locked, may_wander, shares_shelf, book, collection, last_used, owner
      FROM room WHERE ?1 IS NULL OR name = ?1 ORDER BY name
      """,
      SQLValue(name)
    ) { row in
      RoomRecord(
        name: row.text(0),
        owner: ReaderID(digest: row.blob(8)),
        settings: RoomSettings(
          policy: Policy(row.int(1)),
          isLocked: row.bool(2),
          mayWander: row.bool(3),
          sharesShelf: row.bool(4)
        ),
        book: row.text(5),
        collection: row.text(6),
        keys: (keysOfRoom[row.text(0)] ?? []).map(\.key),
        lastUsed: row.real(7)
      )
    }
  }

  /// Returns a stored room; nil if there is none.
  func room(named name: String) throws(DatabaseError) -> RoomRecord? {
    try allRooms(named: name).first
  }

  func save(_ room: RoomRecord) throws(DatabaseError) {
    try run("DELETE FROM room WHERE name = ?", .text(room.name))
    try run(
      """
      INSERT INTO room(name, policy, is_locked, may_wander, shares_shelf, book, collection,
      last_used, owner) VALUES(?,?,?,?,?,?,?,?,?)
      """,
      .text(room.name),
      .integer(Int(room.settings.policy.rawValue)),
      SQLValue(room.settings.isLocked),
      SQLValue(room.settings.mayWander),
      SQLValue(room.settings.sharesShelf),
      .text(room.book),
      .text(room.collection),
      .real(room.lastUsed),
      .blob(room.owner.digest)
    )
    for (order, key) in room.keys.enumerated() {
      try run(
        "INSERT INTO room_key(room, ord, digest, what, expires) VALUES(?,?,?,?,?)",
        .text(room.name),
        .integer(order),
        .blob(key.digest),
        .integer(Int(key.grant.rawValue)),
        .real(key.expires)
      )
    }
  }

  func forgetRoom(_ name: String) throws(DatabaseError) {
    try run("DELETE FROM room WHERE name = ?", .text(name))
  }

  /// Deletes the rooms that were not used since a time, in Unix seconds, and returns their names.
  func forgetRooms(unusedSince time: Double) throws(DatabaseError) -> [String] {
    let names = try rows("SELECT name FROM room WHERE last_used < ?", .real(time)) { $0.text(0) }
    for name in names { try forgetRoom(name) }
    return names
  }
}

extension Grant {
  /// Reads a grant from a row; an unknown value grants the least.
  fileprivate init(_ number: Int) { self = UInt8(exactly: number).flatMap(Grant.init) ?? .follow }
}

extension Policy {
  /// Reads a value from a row; an unknown value becomes the policy that grants the least.
  fileprivate init(_ number: Int) {
    self = UInt8(exactly: number).flatMap(Policy.init) ?? .hostLeads
  }
}

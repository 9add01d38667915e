internal import Scene

/// Rooms and their keys as rows.
struct RoomTable {
  let database: Database

  /// Returns the stored rooms, or only that with a name.
  func all(named name: String? = nil) throws(DatabaseError) -> [RoomRecord] {
    let keys = try database.rows(
      "SELECT room, digest, what, expires FROM room_key ORDER BY room, ord"
    ) {
      (
        room: $0.text(0),
        key: RoomRecord.Key(digest: $0.blob(1), grant: Grant($0.int(2)), expires: $0.real(3))
      )
    }
    // A key that is not a digest opens nothing and could not be stored again.
    let keysOfRoom = Dictionary(grouping: keys.filter { $0.key.digest.count == 32 }, by: \.room)
    return try database.rows(
      """
      SELECT name, policy, is_locked, may_wander, shares_shelf, book, collection, last_used, owner
      FROM room WHERE name = coalesce(\(name), name) ORDER BY name
      """
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
  func room(named name: String) throws(DatabaseError) -> RoomRecord? { try all(named: name).first }

  func save(_ room: RoomRecord) throws(DatabaseError) {
    try forget(room.name)
    let settings = room.settings
    try database.run(
      """
      INSERT INTO room(name, policy, is_locked, may_wander, shares_shelf, book, collection,
        last_used, owner)
      VALUES(\(room.name), \(Int(settings.policy.rawValue)), \(settings.isLocked),
        \(settings.mayWander), \(settings.sharesShelf), \(room.book), \(room.collection),
        \(room.lastUsed), \(room.owner.digest))
      """
    )
    for (order, key) in room.keys.enumerated() {
      let grant = Int(key.grant.rawValue)
      try database.run(
        """
        INSERT INTO room_key(room, ord, digest, what, expires)
        VALUES(\(room.name), \(order), \(key.digest), \(grant), \(key.expires))
        """
      )
    }
  }

  func forget(_ name: String) throws(DatabaseError) {
    try database.run("DELETE FROM room WHERE name = \(name)")
  }

  /// Deletes the rooms that were not used since a time, in Unix seconds, and returns their names.
  func forget(unusedSince time: Double) throws(DatabaseError) -> [String] {
    try database.rows("DELETE FROM room WHERE last_used < \(time) RETURNING name") { $0.text(0) }
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

internal import Foundation

/// A change in the catalogue that waits to be published.
struct OutgoingItem: Equatable, Sendable {
  enum Kind: String, SQLValue, Sendable {
    /// A book; its name is the digest of its file in hexadecimal.
    case meta
    /// A room, by its name.
    case room
    /// A reader; the name is its digest in hexadecimal.
    case reader
  }

  var kind: Kind
  var name: String
  /// A number that differs after another change.
  var serial: Int
  /// The number of attempts that failed.
  var tries: Int
  /// When it changed last, in Unix seconds.
  var changed: Double
}

/// The changes that wait to be published, and what is known of the store, as rows.
struct OutgoingTable {
  let database: Database

  /// Begins to record changes for a store, and records everything that was never published.
  ///
  /// From then on, triggers record every change, by any process and whether or not a store is
  /// reachable.
  func begin(at now: Double) throws(DatabaseError) {
    try database.run("INSERT OR IGNORE INTO sharing(id, since) VALUES(1, \(now))")
    for (kind, select) in [
      ("meta", "SELECT lower(hex(source_sha256)) AS name FROM book"),
      ("room", "SELECT name FROM room"),
      ("reader", "SELECT lower(hex(digest)) AS name FROM reader"),
    ] as [(String, SQL)] {
      try database.run(
        """
        INSERT OR IGNORE INTO outgoing(kind, name, serial, due, changed)
        SELECT \(kind), name, random(), \(now), 0 FROM (\(select)) AS t
        WHERE NOT EXISTS(SELECT 1 FROM known_blob WHERE kind = \(kind) AND name = t.name)
        """
      )
    }
  }

  /// Returns the next change whose time has come.
  func next(at now: Double) throws(DatabaseError) -> OutgoingItem? {
    try database.first(
      """
      SELECT kind, name, serial, tries, changed FROM outgoing WHERE due <= \(now)
      ORDER BY tries > 0, due LIMIT 1
      """
    ) { row in
      OutgoingItem.Kind(rawValue: row.text(0)).map { kind in
        OutgoingItem(
          kind: kind,
          name: row.text(1),
          serial: row.int(2),
          tries: row.int(3),
          changed: row.real(4)
        )
      }
    } ?? nil
  }

  /// Returns when the next change is due, in Unix seconds.
  func nextDue() throws(DatabaseError) -> Double? {
    try database.first("SELECT min(due) FROM outgoing") { $0.optionalReal(0) } ?? nil
  }

  /// Returns the number of changes that wait.
  func count() throws(DatabaseError) -> Int {
    try database.first("SELECT count(*) FROM outgoing") { $0.int(0) } ?? 0
  }

  /// Returns when something changed last that waits to be published; nil if nothing waits.
  func changed(_ kind: OutgoingItem.Kind, _ name: String) throws(DatabaseError) -> Double? {
    try database.first(
      "SELECT changed FROM outgoing WHERE kind = \(kind) AND name = \(name)"
    ) { $0.real(0) }
  }

  /// Records a change.
  func enqueue(_ kind: OutgoingItem.Kind, _ name: String, at now: Double) throws(DatabaseError) {
    try database.run(
      """
      INSERT INTO outgoing(kind, name, serial, due, changed)
      VALUES(\(kind), \(name), random(), \(now), \(now))
      ON CONFLICT(kind, name) DO UPDATE SET serial = excluded.serial
      """
    )
  }

  /// Forgets a change, also one that happened in this transaction.
  func dequeue(_ kind: OutgoingItem.Kind, _ name: String) throws(DatabaseError) {
    try database.run("DELETE FROM outgoing WHERE kind = \(kind) AND name = \(name)")
  }

  /// Forgets a change that was published, unless it changed again.
  func finish(_ item: OutgoingItem) throws(DatabaseError) {
    try database.run(
      """
      DELETE FROM outgoing
      WHERE kind = \(item.kind) AND name = \(item.name) AND serial = \(item.serial)
      """
    )
  }

  /// Tries a change again later.
  func postpone(_ item: OutgoingItem, until time: Double) throws(DatabaseError) {
    try database.run(
      """
      UPDATE outgoing SET due = \(time), tries = tries + 1
      WHERE kind = \(item.kind) AND name = \(item.name)
      """
    )
  }

  // MARK: What is known of the store

  /// Returns what was last agreed about a blob, as it was stored.
  func base(_ kind: OutgoingItem.Kind, _ name: String) throws(DatabaseError) -> String? {
    try database.first(
      "SELECT base FROM known_blob WHERE kind = \(kind) AND name = \(name)"
    ) { $0.text(0) }
  }

  /// Stores what was agreed about a blob; a tag of nil leaves the tag as it is.
  func setBase(
    _ base: String,
    tag: String?,
    _ kind: OutgoingItem.Kind,
    _ name: String
  ) throws(DatabaseError) {
    try database.run(
      """
      INSERT INTO known_blob(kind, name, base, tag)
      VALUES(\(kind), \(name), \(base), \(tag ?? ""))
      ON CONFLICT(kind, name) DO UPDATE SET base = excluded.base, tag = coalesce(\(tag), tag)
      """
    )
  }

  /// Stores the tag of a blob whose content needs nothing.
  func setTag(_ tag: String, _ kind: OutgoingItem.Kind, _ name: String) throws(DatabaseError) {
    try database.run(
      """
      INSERT INTO known_blob(kind, name, base, tag) VALUES(\(kind), \(name), '', \(tag))
      ON CONFLICT(kind, name) DO UPDATE SET tag = excluded.tag
      """
    )
  }

  /// Returns the tags of the blobs of a kind.
  func tags(_ kind: OutgoingItem.Kind) throws(DatabaseError) -> [String: String] {
    let list = try database.rows("SELECT name, tag FROM known_blob WHERE kind = \(kind)") {
      ($0.text(0), $0.text(1))
    }
    return Dictionary(list) { $1 }
  }
}

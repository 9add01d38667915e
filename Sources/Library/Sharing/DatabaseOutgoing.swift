internal import Foundation

/// A change in the catalogue that waits to be published.
struct OutgoingItem: Equatable, Sendable {
  enum Kind: String, Sendable {
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
struct DatabaseOutgoing {
  let rows: Database

  /// Begins to record changes for a store, and records everything that was never published.
  ///
  /// From then on, triggers record every change, by any process and whether or not a store is
  /// reachable.
  func begin(at now: Double) throws(DatabaseError) {
    try rows.run("INSERT OR IGNORE INTO sharing(id, since) VALUES(1, ?)", .real(now))
    for (kind, select) in [
      ("meta", "SELECT lower(hex(source_sha256)) AS name FROM book"),
      ("room", "SELECT name FROM room"),
      ("reader", "SELECT lower(hex(digest)) AS name FROM reader"),
    ] {
      try rows.run(
        """
        INSERT OR IGNORE INTO outgoing(kind, name, serial, due, changed)
        SELECT ?1, name, random(), ?2, 0 FROM (\(select)) AS t
        WHERE NOT EXISTS(SELECT 1 FROM known_blob WHERE kind = ?1 AND name = t.name)
        """,
        .text(kind),
        .real(now)
      )
    }
  }

  /// Returns the next change whose time has come.
  func next(at now: Double) throws(DatabaseError) -> OutgoingItem? {
    try rows.first(
      "SELECT kind, name, serial, tries, changed FROM outgoing WHERE due <= ? "
        + "ORDER BY tries > 0, due LIMIT 1",
      .real(now)
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
    try rows.first("SELECT min(due) FROM outgoing") { $0.optionalReal(0) } ?? nil
  }

  /// Returns the number of changes that wait.
  func count() throws(DatabaseError) -> Int {
    try rows.first("SELECT count(*) FROM outgoing") { $0.int(0) } ?? 0
  }

  /// Returns when something changed last that waits to be published; nil if nothing waits.
  func changed(_ kind: OutgoingItem.Kind, _ name: String) throws(DatabaseError) -> Double? {
    try rows.first(
      "SELECT changed FROM outgoing WHERE kind = ? AND name = ?",
      .text(kind.rawValue),
      .text(name)
    ) { $0.real(0) }
  }

  /// Records a change.
  func enqueue(
    _ kind: OutgoingItem.Kind,
    _ name: String,
    at now: Double
  ) throws(DatabaseError) {
    try rows.run(
      """
      INSERT INTO outgoing(kind, name, serial, due, changed) VALUES(?1, ?2, random(), ?3, ?3)
      ON CONFLICT(kind, name) DO UPDATE SET serial = excluded.serial
      """,
      .text(kind.rawValue),
      .text(name),
      .real(now)
    )
  }

  /// Forgets a change, also one that happened in this transaction.
  func dequeue(_ kind: OutgoingItem.Kind, _ name: String) throws(DatabaseError) {
    try rows.run(
      "DELETE FROM outgoing WHERE kind = ? AND name = ?",
      .text(kind.rawValue),
      .text(name)
    )
  }

  /// Forgets a change that was published, unless it changed again.
  func finish(_ item: OutgoingItem) throws(DatabaseError) {
    try rows.run(
      "DELETE FROM outgoing WHERE kind = ? AND name = ? AND serial = ?",
      .text(item.kind.rawValue),
      .text(item.name),
      .integer(item.serial)
    )
  }

  /// Tries a change again later.
  func postpone(_ item: OutgoingItem, until time: Double) throws(DatabaseError) {
    try rows.run(
      "UPDATE outgoing SET due = ?, tries = tries + 1 WHERE kind = ? AND name = ?",
      .real(time),
      .text(item.kind.rawValue),
      .text(item.name)
    )
  }

  // MARK: What is known of the store

  /// Returns what was last agreed about a blob, as it was stored.
  func base(_ kind: OutgoingItem.Kind, _ name: String) throws(DatabaseError) -> String? {
    try rows.first(
      "SELECT base FROM known_blob WHERE kind = ? AND name = ?",
      .text(kind.rawValue),
      .text(name)
    ) { $0.text(0) }
  }

  /// Stores what was agreed about a blob; a tag of nil leaves the tag as it is.
  func setBase(
    _ base: String,
    tag: String?,
    _ kind: OutgoingItem.Kind,
    _ name: String
  ) throws(DatabaseError) {
    try rows.run(
      """
      INSERT INTO known_blob(kind, name, base, tag) VALUES(?1, ?2, ?3, coalesce(?4, ''))
      ON CONFLICT(kind, name) DO UPDATE SET base = ?3, tag = coalesce(?4, tag)
      """,
      .text(kind.rawValue),
      .text(name),
      .text(base),
      SQLValue(tag)
    )
  }

  /// Stores the tag of a blob whose content needs nothing.
  func setTag(
    _ tag: String,
    _ kind: OutgoingItem.Kind,
    _ name: String
  ) throws(DatabaseError) {
    try rows.run(
      """
      INSERT INTO known_blob(kind, name, base, tag) VALUES(?1, ?2, '', ?3)
      ON CONFLICT(kind, name) DO UPDATE SET tag = ?3
      """,
      .text(kind.rawValue),
      .text(name),
      .text(tag)
    )
  }

  /// Returns the tags of the blobs of a kind.
  func tags(_ kind: OutgoingItem.Kind) throws(DatabaseError) -> [String: String] {
    let list = try rows.rows(
      "SELECT name, tag FROM known_blob WHERE kind = ?",
      .text(kind.rawValue)
    ) { ($0.text(0), $0.text(1)) }
    return Dictionary(list) { $1 }
  }
}

extension Database {
  /// The changes that wait to be published.
  var outgoing: DatabaseOutgoing { DatabaseOutgoing(rows: self) }
}

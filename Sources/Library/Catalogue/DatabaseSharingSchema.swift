// The tables for a store that several processes share.
//
// Triggers record each change that the store needs, in the same transaction. They do nothing until
// a store was configured once.
extension Schema {
  static let sharing =
    """
    CREATE TABLE sharing(id INTEGER PRIMARY KEY CHECK(id = 1), since REAL NOT NULL) STRICT;
    CREATE TABLE outgoing(
      kind TEXT NOT NULL, name TEXT NOT NULL,
      serial INTEGER NOT NULL, due REAL NOT NULL, changed REAL NOT NULL,
      tries INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY(kind,name)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE known_blob(
      kind TEXT NOT NULL, name TEXT NOT NULL, base TEXT NOT NULL, tag TEXT NOT NULL,
      PRIMARY KEY(kind,name)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE shelf_title(shelf TEXT PRIMARY KEY, title TEXT NOT NULL) STRICT, WITHOUT ROWID;

    """ + triggers.joined()

  /// The trigger for books that are put into the bin or taken out of it.
  static let sharedBin = book("bin", "UPDATE OF deleted_at", "NEW")

  /// The trigger for books whose place in a series changes.
  static let sharedSeries = book("series", "UPDATE OF series, series_volume, series_number", "NEW")

  private static let triggers =
    [
      book("insert", "INSERT", "NEW"),
      book(
        "update",
        "UPDATE OF public_id, file_name, format, title, author, language, direction, page_count, "
          + "cloth, lettering, render_rev, state, failure, password, stock, has_spreads, labels, "
          + "source_sha256",
        "NEW"
      ),
      book("indexed", "UPDATE OF indexed", "NEW", if: "NEW.indexed >= NEW.page_count"),
      book("read", "UPDATE OF last_read", "NEW", after: 30),
      book(
        "rehash",
        "UPDATE OF source_sha256",
        "OLD",
        if: "NEW.source_sha256 IS NOT OLD.source_sha256"
      ),
      book("delete", "DELETE", "OLD"),
    ]
    + [("INSERT", "NEW"), ("UPDATE OF book_id, shelf", "NEW"), ("DELETE", "OLD")].map(
      locationTrigger
    )
    + [("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")].map(correction)
    + [("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")].flatMap { event, row in
      [
        trigger("room", event, kind: "room", name: "\(row).name"),
        trigger("room_key", event, kind: "room", name: "\(row).room"),
        trigger("reader", event, kind: "reader", name: "lower(hex(\(row).digest))"),
        trigger("reading", event, kind: "reader", name: "lower(hex(\(row).reader))"),
      ]
    }

  private static func book(
    _ name: String,
    _ event: String,
    _ row: String,
    if condition: String? = nil,
    after seconds: Int = 1
  ) -> String {
    trigger(
      "book",
      event,
      kind: "meta",
      name: "lower(hex(\(row).source_sha256))",
      label: name,
      if: condition,
      after: seconds
    )
  }

  private static func locationTrigger(_ event: String, _ row: String) -> String {
    trigger("place", event, kind: "meta", name: hash(row))
  }

  private static func correction(_ event: String, _ row: String) -> String {
    trigger("correction", event, kind: "meta", name: hash(row))
  }

  private static func hash(_ row: String) -> String {
    "(SELECT lower(hex(source_sha256)) FROM book WHERE id = \(row).book_id)"
  }

  /// Returns a trigger that records a change, at most once in a time per name.
  private static func trigger(
    _ table: String,
    _ event: String,
    kind: String,
    name: String,
    label: String? = nil,
    if condition: String? = nil,
    after seconds: Int = 1
  ) -> String {
    let label = label ?? event.prefix { $0 != " " }.lowercased()
    let guarded = ["EXISTS(SELECT 1 FROM sharing)", condition].compactMap { $0 }
    return """
      CREATE TRIGGER share_\(table)_\(label) AFTER \(event) ON \(table)
      WHEN \(guarded.joined(separator: " AND ")) BEGIN
        INSERT INTO outgoing(kind, name, serial, due, changed)
        SELECT '\(kind)', n, random(), t + \(seconds), t
        FROM (SELECT \(name) AS n, (julianday('now') - 2440587.5) * 86400 AS t)
        WHERE n IS NOT NULL
        ON CONFLICT(kind, name) DO UPDATE SET
          serial = excluded.serial, changed = excluded.changed,
          due = min(due, excluded.due);
      END;

      """
  }
}

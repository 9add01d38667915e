/// The tables of the catalogue, and the steps that migrate an older file.
///
/// Metadata from a book's file is in `book`. The corrections of readers are separate, in
/// `correction`, so that reading the file again does not change them. A book is on the shelf while
/// it has a `place`. Without a place it keeps its row and therefore the position of every reader.
enum Schema {
  /// One step per version; step 0 turns an empty file into version 1.
  ///
  /// A released step never changes; every change of the schema is a new step.
  static let steps = [
    books + pages + text + positions, rooms, readers, retries, firstPages, stocks, spreads,
    sharing, bin + sharedBin, pageFaults, largePrint,
    series + sides + sharedSeries,
  ]

  /// Migrates a database to the newest version, completely or not at all.
  /// - Returns: The version that it had; 0 for an empty file.
  /// - Throws: ``StoreError/newer(path:version:known:)`` if a later version of the program wrote
  ///   the file.
  @discardableResult
  static func migrate(
    _ database: Database,
    path: String,
    steps: [String] = steps
  ) throws(StoreError) -> Int {
    var version = 0
    do throws(DatabaseError) {
      try database.transaction {
        version = try database.version()
        guard version < steps.count else { return }
        for step in steps[version...] { try database.execute(step) }
        try database.setVersion(steps.count)
      }
    } catch {
      throw .failed(error)
    }
    guard version <= steps.count else {
      throw .newer(path: path, version: version, known: steps.count)
    }
    return version
  }

  private static let books = """
    CREATE TABLE book(
      id INTEGER PRIMARY KEY,
      public_id TEXT NOT NULL UNIQUE,
      source_sha256 BLOB NOT NULL UNIQUE CHECK(length(source_sha256)=32),
      kind TEXT NOT NULL CHECK(kind IN('document','images')),
      format TEXT NOT NULL,
      file_name TEXT NOT NULL,
      byte_size INTEGER NOT NULL,
      title TEXT NOT NULL,
      author TEXT NOT NULL DEFAULT '',
      language TEXT NOT NULL DEFAULT '',
      direction TEXT CHECK(direction IN('ltr','rtl')),
      page_count INTEGER NOT NULL CHECK(page_count BETWEEN 0 AND 20000),
      page_w REAL NOT NULL DEFAULT 1,
      page_h REAL NOT NULL DEFAULT 1,
      blank_pages BLOB NOT NULL DEFAULT x'',
      wide_pages BLOB NOT NULL DEFAULT x'',
      cloth INTEGER,
      lettering INTEGER,
      render_rev INTEGER NOT NULL DEFAULT 1,
      state TEXT NOT NULL CHECK(state IN('ready','locked','failed')),
      failure TEXT,
      password TEXT NOT NULL DEFAULT '',
      has_text INTEGER NOT NULL DEFAULT 0,
      indexed INTEGER NOT NULL DEFAULT 0,
      thumbed INTEGER NOT NULL DEFAULT 0,
      added_at REAL NOT NULL,
      last_read REAL,
      removed_at REAL
    ) STRICT;
    CREATE TABLE correction(
      book_id INTEGER PRIMARY KEY REFERENCES book(id) ON DELETE CASCADE,
      title TEXT, author TEXT, direction TEXT CHECK(direction IN('ltr','rtl')), cover INTEGER
    ) STRICT;
    CREATE TABLE place(
      path TEXT PRIMARY KEY,
      book_id INTEGER NOT NULL REFERENCES book(id) ON DELETE CASCADE,
      shelf TEXT NOT NULL,
      is_stored INTEGER NOT NULL,
      stamp INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX place_book ON place(book_id);
    CREATE TABLE known_file(
      path TEXT PRIMARY KEY, stamp INTEGER NOT NULL, sha256 BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;

    """

  private static let pages = """
    CREATE TABLE page(
      book_id INTEGER NOT NULL REFERENCES book(id) ON DELETE CASCADE,
      n INTEGER NOT NULL, w REAL NOT NULL, h REAL NOT NULL, label TEXT,
      asset_sha256 BLOB, file TEXT, format TEXT, words BLOB,
      PRIMARY KEY(book_id,n)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX page_asset ON page(asset_sha256) WHERE asset_sha256 IS NOT NULL;
    CREATE TABLE outline(
      book_id INTEGER NOT NULL REFERENCES book(id) ON DELETE CASCADE,
      ord INTEGER NOT NULL, depth INTEGER NOT NULL, title TEXT NOT NULL, page INTEGER,
      PRIMARY KEY(book_id,ord)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE link(
      book_id INTEGER NOT NULL REFERENCES book(id) ON DELETE CASCADE,
      page INTEGER NOT NULL, ord INTEGER NOT NULL,
      x0 INTEGER NOT NULL, y0 INTEGER NOT NULL, x1 INTEGER NOT NULL, y1 INTEGER NOT NULL,
      to_page INTEGER, uri TEXT,
      PRIMARY KEY(book_id,page,ord)
    ) STRICT, WITHOUT ROWID;

    """

  /// The key of a page's text is the key of the book times 100,000, plus the page.
  private static let text = """
    CREATE TABLE page_plain(id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
    CREATE VIRTUAL TABLE page_text USING fts5(
      body, content='page_plain', content_rowid='id', tokenize='unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE page_tri USING fts5(
      body, content='page_plain', content_rowid='id', tokenize='trigram');
    CREATE VIRTUAL TABLE page_tri_terms USING fts5vocab('page_tri', 'row');
    CREATE TRIGGER page_plain_ai AFTER INSERT ON page_plain BEGIN
      INSERT INTO page_text(rowid,body) VALUES(new.id,new.body);
      INSERT INTO page_tri(rowid,body) VALUES(new.id,new.body);
    END;
    CREATE TRIGGER page_plain_ad AFTER DELETE ON page_plain BEGIN
      INSERT INTO page_text(page_text,rowid,body) VALUES('delete',old.id,old.body);
      INSERT INTO page_tri(page_tri,rowid,body) VALUES('delete',old.id,old.body);
    END;

    """

  private static let positions = """
    CREATE TABLE position(
      room TEXT NOT NULL,
      book_id INTEGER NOT NULL REFERENCES book(id) ON DELETE CASCADE,
      spread INTEGER NOT NULL,
      is_flat INTEGER NOT NULL,
      updated_at REAL NOT NULL,
      PRIMARY KEY(room,book_id)
    ) STRICT, WITHOUT ROWID;

    """

  /// Older books have ids that can be guessed from their files.
  ///
  /// They are marked, so that they get new ids.
  private static let rooms = """
    CREATE TABLE room(
      name TEXT PRIMARY KEY,
      policy INTEGER NOT NULL,
      is_locked INTEGER NOT NULL,
      may_wander INTEGER NOT NULL,
      shares_shelf INTEGER NOT NULL,
      book TEXT NOT NULL,
      collection TEXT NOT NULL,
      last_used REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE room_key(
      room TEXT NOT NULL REFERENCES room(name) ON DELETE CASCADE,
      ord INTEGER NOT NULL,
      digest BLOB NOT NULL CHECK(length(digest)=32),
      what INTEGER NOT NULL,
      expires REAL NOT NULL,
      PRIMARY KEY(room,ord)
    ) STRICT, WITHOUT ROWID;
    ALTER TABLE book ADD COLUMN has_keyed_id INTEGER NOT NULL DEFAULT 0;

    """

  /// Places belong to readers, and rooms to their owners.
  ///
  /// Older rooms get an owner whose secret nobody knows: their links still open them, and they keep
  /// their places.
  private static let readers = """
    CREATE TABLE reader(
      digest BLOB PRIMARY KEY CHECK(length(digest)=32),
      room TEXT NOT NULL,
      seen_at REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX reader_seen ON reader(seen_at);
    CREATE TABLE reading(
      reader BLOB NOT NULL REFERENCES reader(digest) ON DELETE CASCADE,
      book_id INTEGER NOT NULL REFERENCES book(id) ON DELETE CASCADE,
      spread INTEGER NOT NULL,
      is_flat INTEGER NOT NULL,
      updated_at REAL NOT NULL,
      PRIMARY KEY(reader,book_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX reading_book ON reading(book_id);
    ALTER TABLE room ADD COLUMN owner BLOB NOT NULL DEFAULT x'';
    UPDATE room SET owner = randomblob(32);
    INSERT INTO reader SELECT owner, name, last_used FROM room;
    INSERT INTO reading SELECT r.owner, p.book_id, p.spread, p.is_flat, p.updated_at
      FROM position p JOIN room r ON r.name = p.room;
    DROP TABLE position;

    """

  /// Whether another try may succeed in reading a failed book; true for older rows, in which this
  /// is unknown.
  private static let retries = """
    ALTER TABLE book ADD COLUMN may_retry INTEGER NOT NULL DEFAULT 1;

    """

  /// The labels of pages, by book.
  ///
  /// The first page of a document is now inside the book, so all other pages move one spread
  /// further.
  private static let firstPages = """
    ALTER TABLE book ADD COLUMN labels TEXT NOT NULL DEFAULT '';
    UPDATE book SET labels = (
      SELECT group_concat(n || char(31) || COALESCE(label, n + 1), char(30))
      FROM page WHERE book_id = book.id)
    WHERE EXISTS(SELECT 1 FROM page WHERE book_id = book.id AND label IS NOT NULL);
    UPDATE reading SET spread = MIN(spread, 100000) + 1
    WHERE book_id IN (SELECT id FROM book WHERE kind = 'document' OR page_count = 1);

    """

  /// The paper stock of a book, from its folder and as corrected; null if it is not stated.
  private static let stocks = """
    ALTER TABLE book ADD COLUMN stock TEXT CHECK(stock IN('paper','card','board'));
    ALTER TABLE correction ADD COLUMN stock TEXT CHECK(stock IN('paper','card','board'));

    """

  /// Whether wide pages take whole spreads, from the book's folder and as corrected, and whether
  /// the pages begin on the other side.
  ///
  /// A place moves on by half of the wide pages before it, which had one face each.
  private static let spreads = """
    ALTER TABLE book ADD COLUMN has_spreads INTEGER;
    ALTER TABLE correction ADD COLUMN has_spreads INTEGER;
    ALTER TABLE correction ADD COLUMN is_shifted INTEGER;
    UPDATE reading SET spread = spread + (
      SELECT count(*) FROM page JOIN book ON book.id = page.book_id
      WHERE page.book_id = reading.book_id AND page.w >= 1.15 * page.h
        AND page.n < 2 * reading.spread + 1
          - (CASE WHEN book.kind = 'document' OR book.page_count = 1 THEN 2 ELSE 0 END)) / 2
    WHERE spread < 100000;

    """

  /// When a book was put into the bin, and whether its file in the library's folder is deleted with
  /// it.
  private static let bin = """
    ALTER TABLE book ADD COLUMN deleted_at REAL;
    ALTER TABLE book ADD COLUMN deletes_file INTEGER NOT NULL DEFAULT 0;

    """

  /// Why the image of a page cannot be shown; null if it can.
  private static let pageFaults = """
    ALTER TABLE page ADD COLUMN fault TEXT;

    """

  /// The digest of the book whose text a book shows in large print, in hexadecimal.
  private static let largePrint = """
    ALTER TABLE book ADD COLUMN large_print_of TEXT;
    CREATE INDEX book_large_print ON book(large_print_of) WHERE large_print_of IS NOT NULL;

    """

  /// Whether the file of a book says that its pages begin on the other side; null if it does not
  /// say so.
  private static let sides = """
    ALTER TABLE book ADD COLUMN is_shifted INTEGER;

    """

  /// The series that a book belongs to, and its place in it; null if it does not say so.
  private static let series = """
    ALTER TABLE book ADD COLUMN series TEXT;
    ALTER TABLE book ADD COLUMN series_volume TEXT NOT NULL DEFAULT '';
    ALTER TABLE book ADD COLUMN series_number TEXT NOT NULL DEFAULT '';

    """
}

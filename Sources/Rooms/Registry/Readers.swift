internal import Scene

/// The known readers: the room that each one owns, and where each one left its books.
///
/// All that it keeps is bounded. If there are too many readers, those that came only once are
/// forgotten first, then those that have not been here for longest: nobody can make the server
/// forget somebody else by coming often under new names.
struct Readers: Sendable {
  /// The maximum number of known readers, and of books with places of one reader.
  static let max = 10_000
  static let placesMax = 200
  /// The maximum number of places of all readers.
  static let allPlacesMax = 200_000

  struct Reader: Sendable {
    var room: String
    /// The places in books; the last one that was left is at the end.
    var places: [BookPlace] = []
    /// When the reader was last here, in seconds of the server's clock.
    var seen: Double
    /// Whether the reader has sent its secret, and not only received one.
    var hasReturned = false
  }

  private var all: [ReaderID: Reader] = [:]
  /// The owner of each room, by the room's name.
  private var owners: [String: ReaderID] = [:]
  private var placeCount = 0

  init(_ records: [ReaderRecord], unixOffset: Double) {
    for record in records.sorted(by: { $0.lastSeen < $1.lastSeen }).suffix(Self.max) {
      let places = Array(record.places.suffix(Self.placesMax))
      let seen = record.lastSeen - unixOffset
      all[record.id] = Reader(room: record.room, places: places, seen: seen, hasReturned: true)
      placeCount += places.count
      if !record.room.isEmpty { owners[record.room] = record.id }
    }
    thin()
  }

  subscript(id: ReaderID) -> Reader? { all[id] }

  func owner(of room: String) -> ReaderID? { owners[room] }

  /// Records that a reader is in its own room.
  mutating func came(_ id: ReaderID, room: String, hasReturned: Bool, at now: Double) {
    var reader = all[id] ?? Reader(room: room, seen: now)
    if reader.room != room { owners[reader.room] = nil }
    reader.room = room
    reader.seen = now
    reader.hasReturned = reader.hasReturned || hasReturned
    all[id] = reader
    owners[room] = id
    thin()
  }

  /// Records where a reader left a book.
  /// - Returns: Whether the place has changed; a book that was never opened is at its beginning.
  mutating func note(_ place: BookPlace, of id: ReaderID, at now: Double) -> Bool {
    guard var reader = all[id] else { return false }
    let before = reader.places.last { $0.book == place.book }
    guard place != before ?? BookPlace(book: place.book, spread: 0) else { return false }
    // This avoids a copy of the list when it is changed.
    all[id] = nil
    placeCount -= reader.places.count
    reader.places.removeAll { $0.book == place.book }
    reader.places.append(place)
    if reader.places.count > Self.placesMax { reader.places.removeFirst() }
    reader.seen = now
    placeCount += reader.places.count
    all[id] = reader
    thin()
    return true
  }

  /// Forgets readers, a sixteenth at once, so that each of many newcomers costs little.
  private mutating func thin() {
    guard all.count > Self.max || placeCount > Self.allPlacesMax else { return }
    let inOrder = all.sorted {
      let (one, other) = ($0.value, $1.value)
      guard one.hasReturned == other.hasReturned else { return other.hasReturned }
      return (one.seen, one.room) < (other.seen, other.room)
    }
    let (most, mostPlaces) = (Self.max / 16 * 15, Self.allPlacesMax / 16 * 15)
    for (id, reader) in inOrder {
      guard all.count > most || placeCount > mostPlaces else { return }
      all[id] = nil
      placeCount -= reader.places.count
      if owners[reader.room] == id { owners[reader.room] = nil }
    }
  }
}

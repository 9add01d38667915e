internal import Glibc
internal import PressProtocol
internal import Pressroom

/// The contents of a cache in the order of use; in memory, about 90 bytes per entry.
///
/// The id of a book is stored once for all its pages.
struct RenditionIndex: Sendable {
  private struct Key: Hashable {
    var book: UInt32
    var page: UInt32
    var revision: UInt32
    var size: UInt8
  }

  private struct Slot {
    var key: Key
    var byteCount: UInt32
    var mediaType: RenditionBytes.MediaType
    var digest: UInt64
    /// When the file was last changed when it was found intact, in nanoseconds; nil before that.
    var intactSince: Int64?
    /// The neighbours in the order of use.
    var older: UInt32
    var newer: UInt32
  }

  private struct Book {
    var id: String
    var entries: Int
  }

  /// No slot.
  private static let none = UInt32.max

  private var slotOfKey: [Key: UInt32] = [:]
  private var slots: [Slot] = []
  private var freeSlots: [UInt32] = []
  private var numberOfBook: [String: UInt32] = [:]
  private var books: [Book] = []
  private var freeBooks: [UInt32] = []
  private var oldest = none
  private var newest = none

  /// The bytes of all files.
  private(set) var byteCount = 0

  /// The number of entries.
  var count: Int { slotOfKey.count }

  /// Returns whether a key fits: its numbers must fit into 32 bits.
  static func canHold(_ key: RenditionKey, byteCount: Int) -> Bool {
    UInt32(exactly: key.page) != nil && UInt32(exactly: key.revision) != nil
      && UInt32(exactly: byteCount) != nil
  }

  /// Finds an entry, which becomes the most recently used one.
  mutating func use(_ key: RenditionKey) -> RenditionName? {
    guard let packed = packed(key), let slot = slotOfKey[packed] else { return nil }
    unchain(slot)
    append(slot)
    return name(slot)
  }

  /// Returns an entry, and when its file was last changed when it was found intact.
  func entry(_ key: RenditionKey) -> (name: RenditionName, intactSince: Int64?)? {
    guard let packed = packed(key), let slot = slotOfKey[packed] else { return nil }
    return (name(slot), slots[Int(slot)].intactSince)
  }

  /// Records that a file is intact, with the time of its last change in nanoseconds.
  mutating func setIntact(_ name: RenditionName, since time: Int64) {
    guard let packed = packed(name.key), let slot = slotOfKey[packed], self.name(slot) == name
    else { return }
    slots[Int(slot)].intactSince = time
  }

  /// Adds an entry as the most recently used one and replaces any other with its key.
  /// - Returns: The replaced entry.
  /// - Precondition: ``canHold(_:byteCount:)``.
  @discardableResult mutating func insert(_ name: RenditionName) -> RenditionName? {
    precondition(Self.canHold(name.key, byteCount: name.byteCount))
    let previous = remove(name.key)
    let key = Key(
      book: bookNumber(name.key.book),
      page: UInt32(name.key.page),
      revision: UInt32(name.key.revision),
      size: UInt8(PageSize.allCases.firstIndex(of: name.key.size) ?? 0)
    )
    let new = Slot(
      key: key,
      byteCount: UInt32(name.byteCount),
      mediaType: name.mediaType,
      digest: name.digest,
      older: Self.none,
      newer: Self.none
    )
    let slot: UInt32
    if let free = freeSlots.popLast() {
      slot = free
      slots[Int(slot)] = new
    } else {
      slot = UInt32(slots.count)
      slots.append(new)
    }
    slotOfKey[key] = slot
    books[Int(key.book)].entries += 1
    byteCount += name.byteCount
    append(slot)
    return previous
  }

  /// Removes an entry.
  @discardableResult mutating func remove(_ key: RenditionKey) -> RenditionName? {
    guard let packed = packed(key), let slot = slotOfKey[packed] else { return nil }
    return remove(slot)
  }

  /// Removes the least recently used entry, unless it is the only one.
  mutating func removeOldest() -> RenditionName? { oldest == newest ? nil : remove(oldest) }

  /// Removes all entries of a book.
  /// - Complexity: O(n) in the number of all entries.
  mutating func removeAll(of book: String) -> [RenditionName] {
    guard let number = numberOfBook[book] else { return [] }
    return slotOfKey.filter { $0.key.book == number }.map { remove($0.value) }
  }

  private mutating func remove(_ slot: UInt32) -> RenditionName {
    let name = name(slot)
    let key = slots[Int(slot)].key
    unchain(slot)
    slotOfKey[key] = nil
    freeSlots.append(slot)
    byteCount -= name.byteCount
    books[Int(key.book)].entries -= 1
    if books[Int(key.book)].entries == 0 {
      numberOfBook[name.key.book] = nil
      books[Int(key.book)].id = ""
      freeBooks.append(key.book)
    }
    return name
  }

  private func name(_ slot: UInt32) -> RenditionName {
    let slot = slots[Int(slot)]
    return RenditionName(
      key: RenditionKey(
        book: books[Int(slot.key.book)].id,
        page: Int(slot.key.page),
        size: PageSize.allCases[Int(slot.key.size)],
        revision: Int(slot.key.revision)
      ),
      mediaType: slot.mediaType,
      byteCount: Int(slot.byteCount),
      digest: slot.digest
    )
  }

  private func packed(_ key: RenditionKey) -> Key? {
    guard let book = numberOfBook[key.book], let page = UInt32(exactly: key.page),
      let revision = UInt32(exactly: key.revision),
      let size = PageSize.allCases.firstIndex(of: key.size)
    else { return nil }
    return Key(book: book, page: page, revision: revision, size: UInt8(size))
  }

  private mutating func bookNumber(_ id: String) -> UInt32 {
    if let number = numberOfBook[id] { return number }
    let number: UInt32
    if let free = freeBooks.popLast() {
      number = free
      books[Int(number)] = Book(id: id, entries: 0)
    } else {
      number = UInt32(books.count)
      books.append(Book(id: id, entries: 0))
    }
    numberOfBook[id] = number
    return number
  }

  private mutating func append(_ slot: UInt32) {
    slots[Int(slot)].older = newest
    slots[Int(slot)].newer = Self.none
    if newest == Self.none { oldest = slot } else { slots[Int(newest)].newer = slot }
    newest = slot
  }

  private mutating func unchain(_ slot: UInt32) {
    let (older, newer) = (slots[Int(slot)].older, slots[Int(slot)].newer)
    if older == Self.none { oldest = newer } else { slots[Int(older)].newer = newer }
    if newer == Self.none { newest = older } else { slots[Int(newer)].older = older }
  }
}

// MARK: - What an earlier process left

extension RenditionIndex {
  /// Lists a cache folder and removes temporary files and everything that is not a complete
  /// picture.
  init(listing folder: String) {
    for file in StoredFiles.names(in: folder) where file.hasPrefix(".tmp-") {
      unlink(folder + "/" + file)
    }
    // When each was last written or, if the file system records it, last read; in seconds.
    var found: [(name: RenditionName, used: Double)] = []
    for number in 0..<256 {
      let inner = RenditionName.folder(number)
      for file in StoredFiles.names(in: folder + "/" + inner) {
        let path = folder + "/" + inner + "/" + file
        if let entry = Self.found(file, path), entry.0.path == inner + "/" + file {
          found.append(entry)
        } else {
          unlink(path)
        }
      }
    }
    found.sort { $0.used < $1.used }
    for entry in found {
      // After a crash there can be two files of one key; the newer one counts.
      guard let older = insert(entry.name) else { continue }
      unlink(folder + "/" + older.path)
    }
  }

  private static func found(_ file: String, _ path: String) -> (RenditionName, Double)? {
    guard let name = RenditionName(file: file),
      RenditionIndex.canHold(name.key, byteCount: name.byteCount)
    else { return nil }
    var facts = stat()
    guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      Int(facts.st_size) == name.byteCount
    else { return nil }
    return (name, max(facts.st_atim.seconds, facts.st_mtim.seconds))
  }
}

internal import Bytes
internal import Foundation
internal import PressProtocol
internal import Scene
internal import SharedStore
internal import Telemetry

// Reading changes by other processes.
extension SharedLibrary {
  /// Reads the blobs of a group whose tags have changed.
  func readChanges(of group: BlobKey.Group) throws(SharingFault) {
    let list = try stored(blobs.listAll(group))
    guard let kind = OutgoingItem.Kind(group) else { return }
    let tags = try catalogued { try $0.outgoing.tags(kind) }
    var names: Set<String> = []
    for entry in list where !isStopped.isSet {
      guard let name = Self.name(of: entry.key) else { continue }
      names.insert(name)
      if tags[name] != entry.tag { try read(entry.key, tag: entry.tag) }
    }
    let now = Self.unixTime
    // What the store has lost is published again.
    for (name, tag) in tags where !names.contains(name) && !tag.isEmpty && !isStopped.isSet {
      try written { rows in
        try rows.outgoing.setTag("", kind, name)
        try rows.outgoing.enqueue(kind, name, at: now)
      }
    }
  }

  /// Reads one blob; one that cannot be decoded is skipped until it changes.
  func read(_ key: BlobKey, tag: String?) throws(SharingFault) {
    do throws(SharingFault) {
      switch key.group {
      case .meta: try readBook(key, tag: tag)
      case .rooms: try readRoom(key, tag: tag)
      case .bookmarks: try readReader(key, tag: tag)
      case .books, .pages, .cluster: break
      }
    } catch {
      guard !error.isOutage, let kind = OutgoingItem.Kind(key.group),
        let name = Self.name(of: key)
      else { throw error }
      count(\.failures)
      log.warning(
        .storeFailed,
        "\(error)",
        ["key": .text(key.text)],
        collapsing: "store \(key.text)"
      )
      if case .catalogue = error { return }
      guard let tag else { return }
      try written { try $0.outgoing.setTag(tag, kind, name) }
    }
  }

  /// The name of a record in the catalogue; nil if the key has none.
  private static func name(of key: BlobKey) -> String? {
    switch key.group {
    case .meta, .bookmarks: return key.digest.map(Hexadecimal.text)
    case .rooms:
      let file = key.text.dropFirst("rooms/".count).dropLast(".json".count)
      var name = ""
      var isCapital = false
      for character in file {
        if character == "_" {
          isCapital = true
        } else {
          name += isCapital ? character.uppercased() : String(character)
          isCapital = false
        }
      }
      return name
    case .books, .pages, .cluster: return nil
    }
  }

  private func record<T: Decodable>(
    _ type: T.Type,
    _ key: BlobKey,
    limit: Int
  ) throws(SharingFault) -> T? {
    let record = try stored(type, key, limit: limit)
    if record != nil { count(\.fetched) }
    return record
  }

  /// Returns a record of the store; nil if there is none.
  func stored<T: Decodable>(_ type: T.Type, _ key: BlobKey, limit: Int) throws(SharingFault) -> T? {
    let bytes = try stored(blobs.get(key, limit: limit))
    return try bytes.map { bytes throws(SharingFault) in try SharedCoding.record(type, bytes) }
  }

  // MARK: Books

  private func readBook(_ key: BlobKey, tag: String?) throws(SharingFault) {
    guard let hash = key.digest,
      let shared = try record(SharedBook.self, key, limit: SharedBook.bytesMax)
    else { return }
    try receive(shared, of: hash, tag: tag, base: base(of: Hexadecimal.text(hash)))
  }

  /// Puts a record into the catalogue, then its texts.
  func receive(
    _ shared: SharedBook,
    of hash: [UInt8],
    tag: String?,
    base: SharedBase?
  ) throws(SharingFault) {
    let agreed = String(decoding: try SharedCoding.bytes(SharedBase(shared)), as: UTF8.self)
    let now = Self.unixTime
    let result = try written { rows in
      var merge = SharedBookMerge(rows: rows, hash: hash)
      return try merge.apply(shared, tag: tag, base: base, agreed: agreed, at: now)
    }
    if result.isChanged { changed(result.key) }
    guard result.needsTexts, let facts = shared.book else { return }
    do throws(SharingFault) { try readTexts(facts, of: hash) } catch {
      // The next poll tries again.
      try written { try $0.outgoing.setTag("", .meta, Hexadecimal.text(hash)) }
      throw error
    }
    changed(result.key)
  }

  /// Reads the text of a book; each part is stored at once, so that an interrupted reading goes on
  /// later.
  private func readTexts(_ facts: SharedBook.Contents, of hash: [UInt8]) throws(SharingFault) {
    var texts = facts.texts.sorted { $0.page < $1.page }
    while let text = texts.first, !isStopped.isSet {
      texts.removeFirst()
      guard facts.pages.indices.contains(text.page),
        1...facts.pages.count - text.page ~= text.count,
        let digest = Hexadecimal.digest(text.digest),
        let key = BlobKey.page(hash, Hexadecimal.text(digest))
      else { throw .unreadable("the text of a book has no valid key, or is of other pages") }
      let indexed = try catalogued { try $0.books.book(source: hash)?.progress.indexed ?? 0 }
      if indexed >= text.page + text.count { continue }
      guard let chunk = try record(SharedTexts.self, key, limit: SharedTexts.bytesMax) else {
        throw .unreadable("the text \(key.text) is missing")
      }
      let contents = chunk.contents
      let isSaved = try written { rows in
        let isWaiting = try rows.outgoing.changed(.meta, Hexadecimal.text(hash)) != nil
        let isSaved = try rows.pages.save(contents, from: text.page, ofSource: hash)
        // The text came from the store, so the trigger has nothing to publish.
        if isSaved, !isWaiting { try rows.outgoing.dequeue(.meta, Hexadecimal.text(hash)) }
        return isSaved
      }
      guard isSaved else { return }
    }
  }

  // MARK: Rooms and readers

  private func readRoom(_ key: BlobKey, tag: String?) throws(SharingFault) {
    guard let name = Self.name(of: key),
      let shared = try record(SharedRoom.self, key, limit: Self.recordMax)
    else { return }
    if let room = shared.room, room.name != name {
      throw .unreadable("\(key.text) is the record of another room")
    }
    let now = Self.unixTime
    let isNew = try written { try shared.apply(to: $0, as: name, tag: tag, at: now) }
    if isNew { options.onRooms([name]) }
  }

  private func readReader(_ key: BlobKey, tag: String?) throws(SharingFault) {
    guard let digest = key.digest,
      let shared = try record(SharedReader.self, key, limit: Self.recordMax)
    else { return }
    let id = ReaderID(digest: digest)
    let isNew = try written { rows in
      let before = try rows.readers.reader(id)
      try shared.record(of: id).apply(to: rows, tag: tag)
      return try rows.readers.reader(id) != before
    }
    if isNew { options.onReaders([id]) }
  }
}

extension OutgoingItem.Kind {
  /// The kind of the records in a group of a store; nil for files.
  init?(_ group: BlobKey.Group) {
    switch group {
    case .meta: self = .meta
    case .rooms: self = .room
    case .bookmarks: self = .reader
    case .books, .pages, .cluster: return nil
    }
  }
}

internal import Bytes
internal import Foundation
internal import PressProtocol
internal import Scene
internal import SharedStore

// Publishing changes.
extension SharedLibrary {
  /// Publishes one change: first the files, then the record that refers to them.
  func publish(_ item: OutgoingItem) throws(SharingFault) {
    let key: BlobKey?
    switch item.kind {
    case .meta: key = try publishBook(item)
    case .room: key = try publishRoom(item)
    case .reader: key = try publishReader(item)
    }
    try written { try $0.outgoing.finish(item) }
    guard let key else { return }
    count(\.published)
    options.onPublish([key.text])
  }

  // MARK: Books

  /// - Returns: The key of the record; nil if it is already in the store.
  private func publishBook(_ item: OutgoingItem) throws(SharingFault) -> BlobKey? {
    guard let hash = Hexadecimal.digest(item.name), let key = BlobKey.meta(hash) else { return nil }
    let remote = try stored(SharedBook.self, key, limit: SharedBook.bytesMax)
    var base = try base(of: item.name)
    let isDeleted = base?.isDeleted == false ? try facts(of: hash) == nil : false
    // A deletion holds against changes by others in the meantime.
    if !isDeleted, let remote, remote.version > base?.version ?? 0 || remote.writer != base?.writer
    {
      // Another process wrote it meanwhile; what changed here is kept.
      try receive(remote, of: hash, tag: nil, base: base)
      base = SharedBase(remote)
    }
    guard var facts = try facts(of: hash) else {
      // Nothing to delete, or already deleted.
      guard let base, !base.isDeleted, base.version > 0 else { return nil }
      return try put(nil, after: remote, base, hash, key)
    }
    facts.texts = try texts(of: hash, facts, base, remote)
    try publishFiles(of: hash, facts)
    if let known = remote?.book, try SharedCoding.bytes(known) == SharedCoding.bytes(facts) {
      return nil
    }
    return try put(facts, after: remote, base, hash, key)
  }

  private func put(
    _ facts: SharedBook.Contents?,
    after remote: SharedBook?,
    _ base: SharedBase?,
    _ hash: [UInt8],
    _ key: BlobKey
  ) throws(SharingFault) -> BlobKey {
    let record = SharedBook(
      version: max(remote?.version ?? 0, base?.version ?? 0) + 1,
      writer: writer,
      after: remote?.writer ?? "",
      written: Self.unixTime,
      book: facts
    )
    let bytes = try SharedCoding.bytes(record)
    let previous = base?.correction ?? remote?.book?.row.correction ?? Correction()
    let agreed = try SharedCoding.bytes(SharedBase(record, previous: previous))
    try stored(blobs.put(bytes, at: key))
    try written { rows in
      try rows.outgoing.setBase(
        String(decoding: agreed, as: UTF8.self),
        tag: nil,
        .meta,
        Hexadecimal.text(hash)
      )
    }
    return key
  }

  /// What was last agreed about a book.
  func base(of name: String) throws(SharingFault) -> SharedBase? {
    let text = try catalogued { try $0.outgoing.base(.meta, name) }
    guard let text, !text.isEmpty else { return nil }
    return try SharedCoding.record(SharedBase.self, Array(text.utf8))
  }

  /// Returns a book on the shelf with the location of its file; nil if there is none.
  private func facts(of hash: [UInt8]) throws(SharingFault) -> SharedBook.Contents? {
    let root = root
    let found = try catalogued { (rows) -> SharedBook.Contents? in
      guard var row = try rows.books.book(source: hash),
        let location = try rows.books.locations(of: row.key).min(by: { !$0.isStored && $1.isStored }
        )
      else { return nil }
      row.location = location
      let isRoot = location.shelf == Shelf.folder("")
      let titles = isRoot && root == nil ? try rows.books.shelfTitles() : [:]
      return SharedBook.Contents(
        row: row,
        shelf: location.shelf,
        shelfTitle: isRoot && root != nil
          ? Shelf.title(location.shelf, root: root) : titles[location.shelf],
        pages: try rows.pages.all(of: row.key),
        outline: try rows.pages.outline(of: row.key)
      )
    }
    guard var found else { return nil }
    // The images of a folder are known by their content.
    for (index, page) in found.pages.enumerated() where page.asset == nil {
      guard let path = found.path(of: page) else { continue }
      found.pages[index].asset = try digest(of: path)
    }
    return found
  }

  /// Returns the digest of an image, which is remembered until the file changes.
  private func digest(of path: String) throws(SharingFault) -> [UInt8] {
    guard let stamp = FileStamp(path)?.number else { throw .changed }
    let known = try catalogued { try $0.books.digest(of: path, stamp: stamp) }
    if let known { return known }
    let digest = try filed(ContentDigest.of(file: path, stop: isStopped))
    guard FileStamp(path)?.number == stamp else { throw .changed }
    try written { try $0.books.save(digest: digest, of: path, stamp: stamp) }
    return digest
  }

  /// Publishes the file of a book and its laid-out pages, or the images of a folder, if they are on
  /// this machine.
  private func publishFiles(of hash: [UInt8], _ facts: SharedBook.Contents) throws(SharingFault) {
    guard let location = facts.row.location else { return }
    if facts.row.format != "folder" {
      let path = location.isStored ? storage.files.path(.originals, hash) : location.path
      try publishFile(path, digest: hash, isOptional: location.isStored)
      // The images of an archive are extracted again, but pages are laid out only once.
      guard facts.row.file.isLaidOut else { return }
    }
    var published: Set<[UInt8]> = []
    for page in facts.pages {
      guard let digest = page.asset, published.insert(digest).inserted else { continue }
      let isCopied = storage.files.has(.assets, digest)
      let path = isCopied ? nil : facts.path(of: page)
      try publishFile(
        path ?? storage.files.path(.assets, digest),
        digest: digest,
        isOptional: location.isStored
      )
    }
  }

  private func publishFile(_ path: String, digest: [UInt8], isOptional: Bool) throws(SharingFault) {
    guard let key = BlobKey.book(digest) else { return }
    guard let stamp = FileStamp(path) else {
      // The copy of another process is in the store, and not here.
      if isOptional { return }
      throw .changed
    }
    let size = try stored(blobs.size(of: key))
    guard size != stamp.size else { return }
    // The store verifies that the file still has this content.
    do throws(BlobStoreError) { try blobs.put(file: path, at: key) } catch {
      if case .damaged = error.reason { throw .changed }
      throw .store(error)
    }
    count(\.published)
  }

  // MARK: Texts

  /// Returns the blobs with the text of a book and publishes them if necessary.
  private func texts(
    of hash: [UInt8],
    _ facts: SharedBook.Contents,
    _ base: SharedBase?,
    _ remote: SharedBook?
  ) throws(SharingFault) -> [SharedBook.Text] {
    let revision = facts.row.shape.revision
    if let book = remote?.book, book.row.shape.revision == revision, !book.texts.isEmpty,
      book.pages.count == facts.pages.count
    {
      return book.texts
    }
    if remote != nil, let base, base.revision == revision, !base.texts.isEmpty { return base.texts }
    guard facts.row.status.isIndexed, !facts.pages.isEmpty else { return [] }
    var texts: [SharedBook.Text] = []
    var start = 0
    var hasAny = false
    while start < facts.pages.count {
      let (chunk, isEmpty) = try chunk(of: hash, from: start, count: facts.pages.count)
      guard !chunk.pages.isEmpty else { return [] }
      hasAny = hasAny || !isEmpty
      let bytes = try SharedCoding.bytes(chunk)
      let digest = Hexadecimal.text(ContentDigest.of(bytes))
      if let key = BlobKey.page(hash, digest) {
        try stored(blobs.put(bytes, at: key))
      }
      texts.append(SharedBook.Text(page: start, count: chunk.pages.count, digest: digest))
      start += chunk.pages.count
    }
    return hasAny ? texts : []
  }

  /// Returns the text of the next pages, up to a size.
  private func chunk(
    of hash: [UInt8],
    from start: Int,
    count: Int
  ) throws(SharingFault) -> (SharedTexts, isEmpty: Bool) {
    try catalogued { rows in
      var chunk = SharedTexts([])
      var size = 0
      guard let row = try rows.books.book(source: hash) else { return (chunk, true) }
      for page in start..<min(count, start + SharedTexts.pagesMax) {
        let content = try rows.pages.content(page: page, of: row.key) ?? PageContent()
        let entry = SharedTexts.Page(content)
        chunk.pages.append(entry)
        size += entry.size
        if size >= SharedTexts.bytesEnough { break }
      }
      return (chunk, chunk.pages.allSatisfy(\.isEmpty))
    }
  }

  // MARK: Rooms and readers

  private func publishRoom(_ item: OutgoingItem) throws(SharingFault) -> BlobKey? {
    guard let key = BlobKey.room(item.name) else { return nil }
    let remote = try stored(SharedRoom.self, key, limit: Self.recordMax)
    let now = Self.unixTime
    if let remote, remote.updatedAt >= item.changed {
      let isNew = try written { try remote.apply(to: $0, as: item.name, tag: nil, at: now) }
      if isNew { options.onRooms([item.name]) }
      return nil
    }
    let room = try catalogued { try $0.rooms.room(named: item.name) }
    // A room that was deleted before it was ever published.
    if room == nil, remote == nil { return nil }
    let time = item.changed > 0 ? item.changed : room?.lastUsed ?? now
    let record = SharedRoom(updatedAt: time, room: room)
    if let remote, remote.room == room { return nil }
    let encoded = try SharedCoding.bytes(record)
    try stored(blobs.put(encoded, at: key))
    try written { try $0.outgoing.setBase("\(record.updatedAt)", tag: nil, .room, item.name) }
    return key
  }

  private func publishReader(_ item: OutgoingItem) throws(SharingFault) -> BlobKey? {
    guard let digest = Hexadecimal.digest(item.name), let key = BlobKey.bookmarks(digest) else {
      return nil
    }
    let id = ReaderID(digest: digest)
    let local = try catalogued { try $0.readers.reader(id) }
    // A forgotten reader is forgotten by each process in its time.
    guard let local else { return nil }
    let remote = try stored(SharedReader.self, key, limit: Self.recordMax)?.record(of: id)
    let merged = remote.map { local.merged(with: $0) } ?? local
    if let remote, merged != local {
      try written { try remote.apply(to: $0, tag: nil) }
      options.onReaders([id])
    }
    try written { try $0.outgoing.setBase("\(merged.lastSeen)", tag: nil, .reader, item.name) }
    guard merged != remote else { return nil }
    let encoded = try SharedCoding.bytes(SharedReader(merged))
    try stored(blobs.put(encoded, at: key))
    return key
  }

  /// The maximum size of the record of a room or a reader, in bytes.
  static let recordMax = 4 << 20
}

extension SharedBook.Contents {
  /// The path of a page's image in the library's folder; nil for one that is not there.
  fileprivate func path(of page: PageRow) -> String? {
    guard let location = row.location, !location.isStored, let file = page.file else { return nil }
    return location.path + "/" + file
  }
}

internal import Glibc
internal import PressProtocol
internal import SharedStore

/// A book that a scan found but did not read.
struct FoundBook: Equatable, Sendable {
  /// The absolute path of the file or the folder.
  var path: String
  /// The key of the collection.
  var shelf: String
  /// The images of a folder in natural order; `nil` for a document.
  var images: [String]?
  /// A number that changes when the file, or any file in the folder, changes.
  var stamp: Int
  /// The time of the last change in seconds of Unix time.
  var changed: Double
  /// The path of the file that describes it; nil if there is none.
  var sidecar: String?

  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Whether it has to be laid out, judged by its name.
  var flows: Bool { images == nil && FileKinds.flowing.contains(FileKinds.ending(of: name)) }
}

/// Finds the books of a library in one pass over its folders, by names and stamps only.
///
/// A folder of images is a book, unless it contains other books; then it is a collection, and its
/// own images are covers. Only where the other books are folders, more images than folders are a
/// book in that collection. A document is a book in the collection of its folder. Folders can be
/// nested; a nested collection is named after both folders.
struct FolderScan {
  private(set) var books: [FoundBook] = []
  /// The folders and files that could not be read.
  private(set) var notes: [String] = []
  /// The folders that could not be read, so that nothing is known about their contents.
  private(set) var unread: [String] = []
  /// The folders in which there is nothing, as in those on which a disk is not mounted.
  private(set) var empty: [String] = []
  private(set) var folderCount = 0
  /// The number of names read so far.
  private var nameCount = 0
  private let limits: Limits

  /// Limits of a scan, so that a link to a whole disk ends the scan and does not exhaust the
  /// memory.
  struct Limits: Sendable {
    var folders = 100_000
    var names = 2_000_000
    var notes = 500
  }

  private let root: String
  private let willRead: (String) -> Void
  private var seen: Set<[UInt64]> = []
  /// The number of files with each ending that cannot be opened.
  private var unopened: [String: Int] = [:]

  private static let depthMax = 16

  /// Scans a folder.
  /// - Parameters:
  ///   - root: Its path, without a trailing slash.
  ///   - limits: The limits of the scan.
  ///   - willRead: Called with every folder before its entries are read, so that a watch misses
  ///     nothing.
  init(
    root: String,
    limits: Limits = Limits(),
    willRead: @escaping (String) -> Void = { _ in }
  ) {
    (self.root, self.limits, self.willRead) = (root, limits, willRead)
    let folder = read("", depth: 0)
    if !folder.hasBooks, let book = folder.book { books.append(book) }
    for (ending, count) in unopened.sorted(by: { $0.key < $1.key }) {
      let files = count == 1 ? "1 file ends" : "\(count) files end"
      note("\(root): \(files) in .\(ending), which cannot be opened; convert to PDF.")
    }
  }

  /// Notes that a disk came or went while the folders were read, so that nothing is known about
  /// what was not found.
  mutating func markIncomplete() { unread.append(root) }

  /// Adds a note, up to the maximum number of notes.
  private mutating func note(_ text: String) {
    if notes.count < limits.notes {
      notes.append(text)
    } else if notes.count == limits.notes {
      notes.append("\(root): there are more notes than the \(limits.notes) above.")
    }
  }

  private struct Folder {
    var hasBooks = false
    /// The folder's own images, as a book on the folder's own shelf.
    var book: FoundBook?
  }

  private struct Contents {
    var folders: [String] = []
    var documents: [(name: String, stamp: FileStamp)] = []
    var images: [String] = []
    /// The files that describe documents.
    var sidecars: [String: FileStamp] = [:]
    /// Images that cannot be shown, with what changes when they do.
    var others: [(name: String, stamp: FileStamp)] = []
    /// The number of books with each ending that cannot be opened.
    var books: [String: Int] = [:]
    var stamp = StampMix()
    var changed = -Double.infinity

    /// Adds an image.
    mutating func addImage(_ name: String, _ stamp: FileStamp) {
      images.append(name)
      note(name, stamp)
    }

    /// Returns the name of the file that describes a document; nil if there is none.
    func sidecar(of document: String) -> String? {
      Sidecar.name(for: document, among: sidecars.keys, documents: documents.lazy.map(\.name))
    }

    /// Adds to the stamp a file that changes the book.
    mutating func note(_ name: String, _ stamp: FileStamp) {
      self.stamp.add(name)
      self.stamp.add(stamp)
      changed = max(changed, stamp.changedSeconds)
    }
  }

  /// Reads a folder and its subfolders, and adds all books except the one that the folder itself
  /// may be.
  private mutating func read(_ relative: String, depth: Int) -> Folder {
    let path = path(relative)
    guard depth <= Self.depthMax else {
      note("\(relative): folders this deep are not scanned; move the books further up.")
      return Folder()
    }
    guard let contents = list(path, relative) else { return Folder() }
    let shelf = Shelf.folder(relative)
    var result = Folder()
    for name in contents.folders {
      let inner = relative.isEmpty ? name : relative + "/" + name
      let folder = read(inner, depth: depth + 1)
      result.hasBooks = result.hasBooks || folder.hasBooks
      guard var book = folder.book, !folder.hasBooks else { continue }
      book.shelf = shelf
      books.append(book)
      result.hasBooks = true
    }
    for (name, stamp) in contents.documents {
      result.hasBooks = true
      books.append(
        FoundBook(
          path: path + "/" + name,
          shelf: shelf,
          images: nil,
          stamp: Sidecar.number(of: name, stamp) { contents.sidecars[$0] },
          changed: stamp.changedSeconds,
          sidecar: contents.sidecar(of: name).map { path + "/" + $0 }
        )
      )
    }
    if !contents.images.isEmpty {
      let book = FoundBook(
        path: path,
        shelf: shelf,
        images: contents.images,
        stamp: contents.stamp.number,
        changed: contents.changed,
        sidecar: contents.sidecars[Sidecar.ofFolder].map { _ in path + "/" + Sidecar.ofFolder }
      )
      if !result.hasBooks {
        result.book = book
      } else if areCovers(contents, in: relative) {
        return result
      } else {
        books.append(book)
      }
    } else if !result.hasBooks {
      note("\(relative.isEmpty ? root : relative): the folder contains no books; add some.")
    }
    return result
  }

  /// Returns whether the images of a folder that contains books are covers, and notes those that do
  /// not look like it.
  private mutating func areCovers(_ contents: Contents, in relative: String) -> Bool {
    let books = contents.documents.map(\.name) + contents.folders
    let others = Self.loosePictures(contents.images, besides: books)
    guard !contents.documents.isEmpty || others.count <= contents.folders.count else {
      return false
    }
    if let first = others.first {
      let rest = others.count > 1 ? " and \(others.count - 1) more" : ""
      note(
        "\(relative.isEmpty ? root : relative): \(first)\(rest) beside the books are taken as "
          + "covers, not as pages; move pages into a folder of their own."
      )
    }
    return true
  }

  private mutating func list(_ path: String, _ relative: String) -> Contents? {
    guard folderCount < limits.folders, nameCount < limits.names else {
      unread.append(path)
      note(
        "\(relative): the library has more than \(limits.folders) folders or \(limits.names) "
          + "files, so this folder was not scanned; remove links to other folders, or choose "
          + "a smaller library."
      )
      return nil
    }
    guard let folder = opendir(path) else {
      if errno != ENOENT {
        unread.append(path)
        note("\(relative): the folder cannot be read; check its permissions.")
      }
      return nil
    }
    defer { closedir(folder) }
    guard !FileSystem.isKernels(dirfd(folder)) else {
      note("\(relative): this folder belongs to the kernel and contains no books; remove the link.")
      return nil
    }
    var facts = stat()
    guard fstat(dirfd(folder), &facts) == 0,
      // Links can lead back to a parent.
      seen.insert([UInt64(facts.st_dev), UInt64(facts.st_ino)]).inserted
    else { return nil }
    // By its first path only: events name the path under which the folder is watched.
    willRead(path)
    folderCount += 1
    let names = names(in: folder, relative)
    if names.isEmpty { empty.append(path) }
    var contents = Contents()
    for name in NaturalOrder.sorted(names, by: { $0 }) {
      classify(name, in: dirfd(folder), relative, into: &contents)
    }
    finish(&contents)
    return contents
  }

  /// Gives images that cannot be shown their places among those that can, and orders the pages.
  ///
  /// Without other images they are no book, and are counted with what cannot be opened.
  private mutating func finish(_ contents: inout Contents) {
    // Beside images, and no other documents, a text is about them.
    if !contents.images.isEmpty,
      contents.documents.allSatisfy({ FileKinds.texts.contains(FileKinds.ending(of: $0.name)) })
    {
      contents.documents.removeAll()
    }
    guard !contents.images.isEmpty else {
      for (name, _) in contents.others { unopened[FileKinds.ending(of: name), default: 0] += 1 }
      // Beside images such a file is a note about them.
      unopened.merge(contents.books, uniquingKeysWith: +)
      return
    }
    for (name, stamp) in contents.others { contents.addImage(name, stamp) }
    contents.images = contents.images.map { (PageOrder($0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Returns the absolute path of a path in the library.
  private func path(_ relative: String) -> String {
    relative.isEmpty ? root : root + "/" + relative
  }

  /// Notes a file or folder about which the system tells nothing, unless it was just removed.
  private mutating func noteUnreachable(_ relative: String, code: Int32) {
    var facts = stat()
    let isLink = lstat(path(relative), &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK
    guard code != ENOENT || isLink else { return }
    let reason = code == ENOENT ? "the link leads nowhere" : String(cString: strerror(code))
    note("\(relative): it cannot be reached (\(reason)), so its books stay as they are.")
    unread.append(path(relative))
  }

  /// Returns the names in a folder, except those of systems and programs.
  private mutating func names(in folder: OpaquePointer, _ relative: String) -> [String] {
    var names: [String] = []
    errno = 0
    while nameCount < limits.names, let entry = readdir(folder) {
      defer { errno = 0 }
      let name = entry.name
      if name != ".", name != ".." { nameCount += 1 }
      guard let name else {
        note("\(relative): a file name is not UTF-8, so the file was ignored; rename it.")
        continue
      }
      if !FileKinds.isClutter(name) { names.append(name) }
    }
    if nameCount < limits.names, errno != 0 {
      note("\(relative): reading the folder failed (\(String(cString: strerror(errno)))).")
      unread.append(path(relative))
    } else if nameCount >= limits.names {
      unread.append(path(relative))
    }
    return names
  }

  private mutating func classify(
    _ name: String,
    in folder: Int32,
    _ relative: String,
    into contents: inout Contents
  ) {
    let ending = FileKinds.ending(of: name)
    let isImage = FileKinds.images.contains(ending)
    let isDocument = FileKinds.documents.contains(ending) && !FileKinds.isNote(name)
    // Irrelevant files can be skipped by name, but a folder can have any name.
    var facts = stat()
    guard fstatat(folder, name, &facts, 0) == 0 else {
      return noteUnreachable(relative.isEmpty ? name : relative + "/" + name, code: errno)
    }
    let stamp = FileStamp(facts)
    if stamp.isFolder {
      contents.folders.append(name)
    } else if facts.st_mode & S_IFMT != S_IFREG {
      if isDocument || isImage {
        note("\(relative)/\(name): this is not a regular file and was ignored.")
      }
    } else if isDocument {
      contents.documents.append((name, stamp))
    } else if isImage {
      contents.addImage(name, stamp)
    } else if Sidecar.isOne(name) {
      contents.sidecars[name] = stamp
      if name == Sidecar.ofFolder { contents.note(name, stamp) }
    } else if name == "book.json" || name == "words.json" {
      contents.note(name, stamp)
    } else if FileKinds.otherImages.contains(ending) {
      contents.others.append((name, stamp))
    } else if FileKinds.otherBooks.contains(ending) {
      contents.books[ending, default: 0] += 1
    }
  }
}

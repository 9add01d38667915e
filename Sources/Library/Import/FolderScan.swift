internal import Glibc

/// A book that a scan found, not yet read.
struct FoundBook: Equatable, Sendable {
  /// The absolute path of the file or the folder.
  var path: String
  /// The key of its collection.
  var shelf: String
  /// The images of a folder in natural order; `nil` for a document.
  var images: [String]?
  /// Changes when the file, or any file of the folder, does.
  var stamp: Int
  /// When it was last changed: nanoseconds of Unix time.
  var changed: Int

  var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}

/// Walks over the folders of a library once and finds its books, by names and stamps alone.
///
/// A folder of images is a book, unless there are books below it; then it is a collection, in which
/// its own images are a book too. A document is a book of the folder it lies in. Folders may lie
/// in one another; a collection inside of another is named after both.
struct FolderScan {
  private(set) var books: [FoundBook] = []
  /// What could not be looked at.
  private(set) var notes: [String] = []
  /// The folders below which nothing is known, because they could not be read.
  private(set) var unread: [String] = []
  private(set) var folderCount = 0

  private let root: String
  private let willRead: (String) -> Void
  private var seen: Set<[UInt64]> = []

  private static let depthMax = 16
  static let documents: Set<String> = ["pdf", "cbz", "cbr", "cb7", "cbt", "epub", "djvu", "djv"]
  static let images: Set<String> = [
    "svg", "png", "jpg", "jpeg", "webp", "gif", "tif", "tiff", "heic", "heif", "avif",
  ]

  /// Scans a folder.
  /// - Parameters:
  ///   - root: Its path, without a slash at the end.
  ///   - willRead: Is told every folder before its list is read, so that a watch misses nothing.
  init(root: String, willRead: @escaping (String) -> Void = { _ in }) {
    self.root = root
    self.willRead = willRead
    let folder = read("", depth: 0)
    if !folder.hasBooks, let book = folder.book { books.append(book) }
  }

  private struct Folder {
    var hasBooks = false
    /// Its own images, as a book on the shelf that it would be itself.
    var book: FoundBook?
  }

  private struct Contents {
    var folders: [String] = []
    var documents: [(name: String, stamp: FileStamp)] = []
    var images: [String] = []
    var stamp = StampMix()
    var changed = 0
    var others = 0
  }

  /// Reads a folder and those in it; adds all books but the one that the folder itself may be.
  private mutating func read(_ relative: String, depth: Int) -> Folder {
    let path = relative.isEmpty ? root : root + "/" + relative
    guard depth <= Self.depthMax else {
      notes.append("\(relative): folders this deep are not read; move its books further up.")
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
          stamp: stamp.number,
          changed: stamp.changed
        )
      )
    }
    if !contents.images.isEmpty {
      let book = FoundBook(
        path: path,
        shelf: shelf,
        images: contents.images,
        stamp: contents.stamp.number,
        changed: contents.changed
      )
      if result.hasBooks { books.append(book) } else { result.book = book }
    } else if !result.hasBooks {
      notes.append("\(relative.isEmpty ? root : relative): no book was found in it; add some.")
    }
    return result
  }

  private mutating func list(_ path: String, _ relative: String) -> Contents? {
    willRead(path)
    guard let folder = opendir(path) else {
      if errno != ENOENT {
        unread.append(path)
        notes.append("\(relative): the folder cannot be read; check who may read it.")
      }
      return nil
    }
    defer { closedir(folder) }
    var facts = stat()
    guard fstat(dirfd(folder), &facts) == 0,
      // Links may lead back up.
      seen.insert([UInt64(facts.st_dev), UInt64(facts.st_ino)]).inserted
    else { return nil }
    folderCount += 1
    var names: [String] = []
    while let entry = readdir(folder) {
      guard let name = entry.pointee.name else {
        notes.append(
          "\(relative): the name of a file is not UTF-8, and it was left out; rename it."
        )
        continue
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    var contents = Contents()
    for name in NaturalOrder.sorted(names, by: { $0 }) {
      take(name, in: dirfd(folder), relative, into: &contents)
    }
    return contents
  }

  private mutating func take(
    _ name: String,
    in folder: Int32,
    _ relative: String,
    into contents: inout Contents
  ) {
    let ending = Self.ending(of: name)
    let isImage = Self.images.contains(ending)
    let isDocument = Self.documents.contains(ending)
    // A file of no interest need not be looked at, but a folder may have any name.
    var facts = stat()
    guard fstatat(folder, name, &facts, 0) == 0 else { return }
    let stamp = FileStamp(facts)
    if stamp.isFolder {
      contents.folders.append(name)
    } else if facts.st_mode & S_IFMT != S_IFREG {
      return
    } else if isDocument {
      contents.documents.append((name, stamp))
    } else if isImage || name == "book.json" {
      if isImage { contents.images.append(name) }
      contents.stamp.add(name)
      contents.stamp.add(stamp)
      contents.changed = max(contents.changed, stamp.changed)
    } else if ["bmp", "jxl", "jp2"].contains(ending) {
      notes.append(
        "\(relative)/\(name): \(ending) files are not shown; export it as PNG, JPEG or WebP."
      )
    }
  }

  static func ending(of name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }
}

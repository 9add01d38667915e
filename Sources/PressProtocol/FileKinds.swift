/// What a file is, judged by its name: the one list for folders, imports, uploads and archives.
package enum FileKinds {
  /// The endings of documents and of archives of images, in small letters.
  package static let documents: Set<String> = [
    "pdf", "epub", "cbz", "zip", "cbr", "rar", "cb7", "7z", "cbt", "tar", "djvu", "djv",
    "mobi", "azw", "azw3", "prc", "fb2", "txt", "text", "md", "markdown",
  ]

  /// The endings of texts, which are books unless they are notes about others.
  package static let texts: Set<String> = ["txt", "text", "md", "markdown"]

  /// The endings of documents whose text has to be laid out.
  package static let flowing = texts.union(["epub", "mobi", "azw", "azw3", "prc", "fb2"])

  /// The names of texts about a folder and not for readers, without their endings.
  private static let aboutFolders: Set<String> = [
    "readme", "read me", "license", "licence", "copying", "changelog", "changes", "authors",
    "notes",
    "todo", "index", "info", "install", "contributing", "metadata",
  ]

  /// Whether a file is a text about the files beside it, judged by its name.
  package static func isNote(_ name: String) -> Bool {
    texts.contains(ending(of: name)) && aboutFolders.contains(stem(of: name).lowercased())
  }

  /// The endings of images that can be shown.
  package static let images: Set<String> = [
    "svg", "png", "jpg", "jpeg", "jpe", "jfif", "webp", "gif", "tif", "tiff", "heic", "heif",
    "avif", "jxl", "jp2", "j2k", "jpx", "jpf",
  ]

  /// The endings of images that cannot be shown; among others, each keeps its place as a page.
  package static let otherImages: Set<String> = [
    "bmp", "ppm", "pgm", "pbm", "pnm", "tga", "psd",
  ]

  /// The endings of books in formats that cannot be opened, of which a scan tells.
  package static let otherBooks: Set<String> = [
    "kfx", "docx", "doc", "odt", "rtf", "chm", "lit", "xps",
  ]

  /// Returns the ending of a name after its last dot, in small letters; empty for a hidden file or
  /// a name without a dot.
  package static func ending(of name: some StringProtocol) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  /// Returns a name without its ending and the dot before it.
  package static func stem(of name: String) -> String {
    let ending = ending(of: name)
    return ending.isEmpty ? name : String(name.dropLast(ending.count + 1))
  }

  // MARK: Names that are no books

  /// Folders of systems and of synchronization: bins, thumbnails, snapshots and metadata.
  private static let systemFolders: Set<String> = [
    // Windows and file systems.
    "$recycle.bin", "recycler", "recycled", "system volume information", "lost+found", "found.000",
    // Synology, QNAP and other network storage.
    "#recycle", "#snapshot", "@eadir", "@tmp", "@sharebin", "@recycle", "@recently-snapshot",
    "@sharesnap", "network trash folder", "temporary items", "trashbox",
    // macOS.
    "__macosx",
  ]

  /// Whether a file or folder belongs to a system or a program, and is no book of the reader.
  ///
  /// That is a hidden one, a bin, a folder of thumbnails, the lock of an office program, or the
  /// second copy that synchronization makes of a file that was changed in two places. The folders
  /// `.` and `..` are clutter, too.
  package static func isClutter(_ name: some StringProtocol) -> Bool {
    if name.hasPrefix(".") || name.hasPrefix("~$") { return true }
    let small = name.lowercased()
    return systemFolders.contains(small) || small.contains(".sync-conflict-")
      || small.contains("conflicted copy") || small == "thumbs.db"
  }
}

internal import PressProtocol

// The pictures that lie beside the books of a folder: their covers, not the pages of a book.
extension FolderScan {
  /// Names that media libraries give to pictures of a book, besides those of covers.
  private static let coverNames: Set<String> = [
    "back", "backcover", "banner", "fanart", "logo", "poster", "thumb", "thumbnail",
  ]

  /// Finds the pictures that are not covers by their names.
  /// - Parameters:
  ///   - pictures: The names of the pictures.
  ///   - books: The names of the books, which are files and folders.
  /// - Returns: The pictures that are named neither like a cover nor like one of the books.
  static func loosePictures(_ pictures: [String], besides books: [String]) -> [String] {
    let stems = Set(books.flatMap { [$0.lowercased(), FileKinds.stem(of: $0).lowercased()] })
    return pictures.filter { picture in
      let stem = FileKinds.stem(of: picture).lowercased()
      return !PageOrder.isCover(picture) && !coverNames.contains(stem) && !stems.contains(stem)
    }
  }
}

internal import Notices
internal import Pressroom

extension BookLibrary {
  /// Reads the EPUBs again that could not be laid out, if the layout engine is installed now;
  /// blocks until they are laid out.
  func retryLayouts() {
    guard LayoutEngine.isInstalled else { return }
    for book in books() where book.failure?.code == .engineMissing && book.isOnShelf {
      guard !isStopped.isSet else { return }
      // A failure is stored with the book, and in the log.
      try? retry(book.id)
    }
  }
}

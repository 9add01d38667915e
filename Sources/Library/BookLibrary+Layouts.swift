internal import Dispatch
internal import Notices
internal import Pressroom

extension BookLibrary {
  /// Reads the books that could not be laid out again, on a queue, if the engine is installed now.
  ///
  /// Without such a book nothing is scheduled, so that nothing keeps the library from ending.
  func retryLayouts(on queue: DispatchQueue) {
    guard storage.folder.isOwner, LayoutEngine.isInstalled,
      books().contains(where: \.waitsForEngine)
    else { return }
    queue.async { [weak self] in
      for book in self?.books() ?? [] where book.waitsForEngine {
        guard let self, !isStopped.isSet else { return }
        // A failure is stored with the book, and in the log.
        try? retry(book.id)
      }
    }
  }
}

extension Book {
  /// Whether it could not be laid out because the engine was missing.
  fileprivate var waitsForEngine: Bool { failure?.code == .engineMissing && isOnShelf }
}

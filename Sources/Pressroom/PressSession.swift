package import PressProtocol

/// An open document for an import, which reads all of it.
///
/// All methods block. They wait behind every page that a reader looks at, and use at most all
/// presses but one. The press may be ended and restarted between two calls.
package final class PressSession: Sendable {
  /// The facts that the document states about itself.
  package let facts: DocumentFacts

  private let pressroom: Pressroom
  private let source: PressSource

  package init(pressroom: Pressroom, source: PressSource, facts: DocumentFacts) {
    (self.pressroom, self.source, self.facts) = (pressroom, source, facts)
  }

  /// Returns the table of contents.
  package func outline() throws(PressFault) -> [OutlineEntry] {
    let reply = try pressroom.wait(for: PressWork(source: source, task: .outline))
    guard case .outline(let entries) = reply else { throw .noReply }
    return entries
  }

  /// Returns the text of a page, counted from 0.
  package func page(_ number: Int) throws(PressFault) -> PageContent {
    guard number >= 0 else { throw .noSuchPage(number, count: facts.pages.count) }
    let reply = try pressroom.wait(for: PressWork(source: source, task: .page(number)))
    guard case .page(let content) = reply else { throw .noReply }
    return content
  }

  /// Extracts the images of an archive, or lays a document out.
  ///
  /// If the press ends after the first image, the extraction fails; no image is sent twice.
  /// - Parameters:
  ///   - size: The size of the type on pages that are laid out.
  ///   - sink: Receives each image in the order of the archive, on this thread; may block. An error
  ///     that it throws ends the extraction.
  /// - Returns: The facts that became known on the way: pages, title, direction.
  /// - Throws: ``PressFault``, or the error of the sink.
  @discardableResult package func extract(
    _ size: TypeSize = .standard,
    _ sink: (Asset) throws -> Void
  ) throws -> DocumentFacts {
    let reply = try pressroom.extract(source, size, sink)
    guard case .opened(let facts) = reply else { return self.facts }
    return facts
  }

  /// Releases the press, which otherwise stays for a minute.
  package func close() { pressroom.release(source) }
}

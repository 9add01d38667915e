internal import PressProtocol

/// An open document, for whoever reads all of it: an import.
///
/// All methods block. They wait behind every page that somebody looks at, and have at most all but
/// one of the presses. The press may be ended and started anew between two calls without notice.
final class PressSession: Sendable {
  /// What the document says about itself.
  let facts: DocumentFacts

  private let pressroom: Pressroom
  private let source: PressSource

  init(pressroom: Pressroom, source: PressSource, facts: DocumentFacts) {
    self.pressroom = pressroom
    self.source = source
    self.facts = facts
  }

  /// The table of contents.
  func outline() throws(PressFault) -> [OutlineEntry] {
    let reply = try pressroom.wait(for: PressWork(source: source, task: .outline))
    guard case .outline(let entries) = reply else { throw .noReply }
    return entries
  }

  /// What is written on a page, from 0.
  func page(_ number: Int) throws(PressFault) -> PageContent {
    guard number >= 0 else { throw .noSuchPage(number, count: facts.pages.count) }
    let reply = try pressroom.wait(for: PressWork(source: source, task: .page(number)))
    guard case .page(let content) = reply else { throw .noReply }
    return content
  }

  /// Takes an archive apart.
  ///
  /// If the press ends after the first image, that is an error; nothing is sent twice.
  /// - Parameter sink: Is handed each image, in the archive's order, on this thread; may take its
  ///   time. What it throws ends the extraction.
  /// - Returns: The facts as they became known on the way: pages, title, direction.
  /// - Throws: ``PressFault``, or what the sink throws.
  @discardableResult func extract(
    _ sink: (Asset) throws -> Void
  ) throws -> DocumentFacts {
    guard case .opened(let facts) = try pressroom.extract(source, sink) else { return self.facts }
    return facts
  }

  /// Lets go of the press, which otherwise stays for a minute.
  func close() { pressroom.release(source) }
}

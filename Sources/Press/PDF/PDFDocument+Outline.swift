internal import CPoppler
internal import PressProtocol

extension PDFDocument {
  func outline() throws(PressFault) -> [OutlineEntry] {
    guard let root = poppler_index_iter_new(document) else { return [] }
    defer { poppler_index_iter_free(root) }
    var entries: [OutlineEntry] = []
    collect(root, depth: 0, &entries)
    return entries
  }

  /// Adds the entries of a level and its sublevels, up to the limits.
  private func collect(_ level: OpaquePointer, depth: Int, _ entries: inout [OutlineEntry]) {
    repeat {
      guard entries.count < limits.content.outlineEntries else { return }
      if let action = poppler_index_iter_get_action(level) {
        let title = action.pointee.any.title.map { String(cString: $0) } ?? ""
        entries.append(
          OutlineEntry(
            depth: depth,
            title: PressText.line(title, PressText.entry),
            page: page(of: action)
          )
        )
        poppler_action_free(action)
      }
      if depth + 1 < limits.content.outlineDepth, let child = poppler_index_iter_get_child(level) {
        collect(child, depth: depth + 1, &entries)
        poppler_index_iter_free(child)
      }
    } while poppler_index_iter_next(level) != 0
  }
}

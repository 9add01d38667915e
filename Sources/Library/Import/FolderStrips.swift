internal import PressProtocol

// Strips among the images of a folder.
extension Cataloguer {
  /// Cuts the images of a folder that are strips, as those of archives are: their pages are stored.
  ///
  /// One that cannot be cut stays whole.
  func cutStrips(
    of book: CataloguedBook,
    in folder: String,
    stop: Flag
  ) throws(FileFault) -> CataloguedBook {
    var parts: [Int: [PageRow]] = [:]
    var room = FolderCataloguer.pagesMax - book.pages.count
    for (number, page) in book.pages.enumerated() where page.isStrip && !stop.isSet {
      guard let file = page.file else { continue }
      let pages = try cut(folder + "/" + file, page)
      guard pages.count > 1, pages.count <= room else { continue }
      room -= pages.count
      parts[number] = pages
    }
    return parts.isEmpty ? book : book.cut(parts)
  }

  private func cut(_ path: String, _ page: PageRow) throws(FileFault) -> [PageRow] {
    var pages: [PageRow] = []
    var failure: FileFault?
    do throws(PressFault) {
      _ = try press.extract(from: path, password: "", size: .standard) { asset in
        do throws(FileFault) {
          var part = PageRow(width: Double(asset.facts.width), height: Double(asset.facts.height))
          part.asset = try files.store(asset.bytes, as: .assets)
          (part.file, part.format) = (page.file, "\(asset.facts.format)")
          pages.append(part)
          return true
        } catch {
          failure = error
          return false
        }
      }
    } catch {
      pages = []
    }
    if let failure { throw failure }
    return pages
  }
}

extension PageRow {
  /// Whether its image is a strip.
  fileprivate var isStrip: Bool {
    guard let format = format.flatMap(ImageFormat.init(name:)) else { return false }
    let (width, height) = (Int(exactly: width.rounded()), Int(exactly: height.rounded()))
    return ImageFacts(format: format, width: width ?? 0, height: height ?? 0).isStrip
  }
}

extension CataloguedBook {
  /// Returns the book with pages in place of others, each with the text of what it replaces on the
  /// first of them.
  fileprivate func cut(_ parts: [Int: [PageRow]]) -> CataloguedBook {
    var cut = self
    (cut.pages, cut.contents) = ([], [])
    for (number, page) in pages.enumerated() {
      let pages = parts[number] ?? [page]
      cut.pages += pages
      guard contents.indices.contains(number) else { continue }
      cut.contents += [contents[number]]
      cut.contents += [PageContent](repeating: PageContent(), count: pages.count - 1)
    }
    cut.row.shape.count = cut.pages.count
    cut.row.progress.indexed = cut.pages.count
    cut.settleShape()
    return cut
  }
}

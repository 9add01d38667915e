internal import Motion
internal import Scene
internal import Staging
internal import Wire

/// What the elements of a library show.
extension ShownLibrary {
  /// Returns the side at which an element is attached.
  func side(of key: ElementKey) -> ElementSide {
    let isMirrored = layout.isMirrored(key)
    return switch key.kind {
    case .collection: .centre
    case .cover: isMirrored ? .centreRightBound : .centre
    case .board: isMirrored ? .left : .right
    case .page: key.page.isMultiple(of: 2) != isMirrored ? .right : .left
    }
  }

  /// Returns the paper stock of an element: that of its book for a page; all others are rigid.
  private func stock(of key: ElementKey) -> PaperStock {
    guard key.kind == .page else { return .board }
    return layout.index(of: key).flatMap { book(at: $0) }?.stock ?? .paper
  }

  /// Returns what an element shows; blank paper if the library does not contain it.
  func element(for key: ElementKey, on stage: Stage) -> Element {
    var element = Element(
      key: key,
      index: layout.index(of: key),
      size: stage.size(of: key),
      side: side(of: key),
      stock: stock(of: key),
      cornerRadius: stage.cornerRadius(of: key),
      imageURL: "",
      title: ""
    )
    if let collection = layout.collection(of: key) {
      element.imageURL = ledgeURL(ofCollection: collection) ?? ""
      element.title = title(ofCollection: collection) ?? ""
      element.count = bookCount(ofCollection: collection)
      return element
    }
    guard key.kind == .cover || key.kind == .page,
      let book = layout.index(of: key).flatMap({ book(at: $0) })
    else { return element }
    if key.kind == .cover {
      element.imageURL = book.coverURL
      element.title = book.title
      element.author = book.author
      element.count = book.isLost ? 1 : 0
    } else if book.pageURLs.indices.contains(key.page) {
      element.imageURL = book.pageURLs[key.page]
      (element.title, element.count) = book.title(ofFace: key.page)
    }
    return element
  }
}

extension CatalogueBook {
  /// Returns the label of the page on a face, and 1 for the second half of a page; the title of the
  /// book for its first face.
  func title(ofFace face: Int) -> (text: String, count: Int) {
    if face == 0 { return (title, 0) }
    guard let page = page(ofFace: face) else { return ("", 0) }
    return (labels[page], face == self.face(ofPage: page) ? 0 : 1)
  }
}

/// The pages of a book on the faces of its leaves.
///
/// A page is a page of the file, counted from 0. A face is a side of a leaf of the bound book: the
/// front cover first, then two faces per spread. A wide page takes a whole spread, one half on each
/// face. Everything else is stored as runs between wide pages, so that a library of ten thousand
/// books needs little memory; a lookup takes O(log *n*) in the number of wide pages.
public struct Imposition: Equatable, Sendable {
  /// The part of a page that is on a face.
  public enum Part: Equatable, Sendable {
    case whole
    /// The left and the right half of a page that takes both faces of a spread.
    case leftHalf, rightHalf
  }

  /// A page on two faces.
  private struct Wide: Equatable, Sendable {
    var page: Int
    /// The first of its faces, which is odd.
    var face: Int
  }

  /// The number of faces before the first page of a book whose first page is also read inside: the
  /// cover and the blank inside of the cover.
  public static let insideLead = 2

  /// The number of pages.
  public let pageCount: Int
  /// The number of faces, with the cover.
  public private(set) var faceCount: Int
  /// Whether the cover is a picture of a page that is also read inside.
  public let repeatsCover: Bool
  /// The face of the first page that is read inside.
  private let start: Int
  private let wides: [Wide]
  private let isMirrored: Bool

  /// Puts one page on each face.
  /// - Parameters:
  ///   - pageCount: The number of pages.
  ///   - repeatsCover: Whether the first page is also read inside.
  public init(pageCount: Int, repeatsCover: Bool = false) {
    self.init(pageCount: pageCount, repeatsCover: repeatsCover, wide: [])
  }

  /// Gives wide pages a spread each, after a blank face where they would begin on the wrong side.
  ///
  /// A first page that is also on the cover begins after a blank inside of the cover, as in a
  /// printed book, unless it is wide. Otherwise the second page begins beside the cover's inside,
  /// unless the other side needs fewer blank faces.
  /// - Parameters:
  ///   - pageCount: The number of pages.
  ///   - repeatsCover: Whether the first page is also read inside.
  ///   - wide: The wide pages, ascending; a first page that is only on the cover is never wide.
  ///   - isShifted: Whether the pages begin on the other side.
  ///   - isMirrored: Whether the book is read from right to left.
  public init(
    pageCount: Int,
    repeatsCover: Bool,
    wide: [Int],
    isShifted: Bool = false,
    isMirrored: Bool = false
  ) {
    let pageCount = max(0, pageCount)
    let first = repeatsCover ? 0 : 1
    let wide = wide.filter { (first..<max(first, pageCount)).contains($0) }
    let starts = repeatsCover ? [Self.insideLead, 1] : [1, Self.insideLead]
    let laid = starts.map { Self.laid(wide, first: first, start: $0) }
    let isOther = repeatsCover ? wide.first == 0 : laid[1].blanks < laid[0].blanks
    let choice = isOther != isShifted ? 1 : 0
    self.pageCount = pageCount
    self.repeatsCover = repeatsCover
    self.isMirrored = isMirrored
    start = starts[choice]
    wides = laid[choice].wides
    faceCount = 0
    faceCount = pageCount > first ? end(ofPage: pageCount - 1) : min(pageCount, 1)
  }

  /// Returns the faces of wide pages, and the number of blank faces before them.
  private static func laid(
    _ wide: [Int],
    first: Int,
    start: Int
  ) -> (wides: [Wide], blanks: Int) {
    var wides: [Wide] = []
    wides.reserveCapacity(wide.count)
    var blanks = 0
    var (page, face) = (first, start)
    for next in wide {
      face += next - page
      if face.isMultiple(of: 2) {
        face += 1
        blanks += 1
      }
      wides.append(Wide(page: next, face: face))
      (page, face) = (next + 1, face + 2)
    }
    return (wides, blanks)
  }

  /// Returns the imposition with another number of faces; additional faces are blank paper.
  public func resized(to faceCount: Int) -> Imposition {
    var resized = self
    resized.faceCount = max(0, faceCount)
    return resized
  }

  /// Whether a page takes a whole spread.
  public func isWide(_ page: Int) -> Bool {
    let index = firstWide { $0.page >= page }
    return index < wides.count && wides[index].page == page
  }

  /// Returns the first face of a page; for a page that does not exist, that of the nearest page.
  public func face(ofPage page: Int) -> Int {
    let page = min(max(page, 0), max(pageCount - 1, 0))
    let first = repeatsCover ? 0 : 1
    guard page >= first else { return 0 }
    let next = firstWide { $0.page > page }
    guard next > 0 else { return start + page - first }
    let last = wides[next - 1]
    return page == last.page ? last.face : last.face + 1 + page - last.page
  }

  /// Returns the face after a page.
  private func end(ofPage page: Int) -> Int { face(ofPage: page) + (isWide(page) ? 2 : 1) }

  /// Returns the page that is read on a face; nil for a cover that repeats inside, and for blank
  /// paper.
  public func page(ofFace face: Int) -> Int? {
    guard (0..<faceCount).contains(face) else { return nil }
    let first = repeatsCover ? 0 : 1
    if face == 0 { return repeatsCover || pageCount == 0 ? nil : 0 }
    let next = firstWide { $0.face > face }
    guard next > 0 else {
      let page = first + face - start
      let end = wides.first?.page ?? pageCount
      return face >= start && page < end ? page : nil
    }
    let last = wides[next - 1]
    let after = face - last.face
    if after < 2 { return last.page }
    let page = last.page + after - 1
    return page < (next < wides.count ? wides[next].page : pageCount) ? page : nil
  }

  /// Returns the part of its page that is on a face.
  public func part(ofFace face: Int) -> Part {
    guard let page = page(ofFace: face), isWide(page) else { return .whole }
    return face.isMultiple(of: 2) != isMirrored ? .rightHalf : .leftHalf
  }

  /// Returns the index of the first wide page that fulfils a condition that all later ones fulfil.
  private func firstWide(_ condition: (Wide) -> Bool) -> Int {
    var (low, high) = (0, wides.count)
    while low < high {
      let middle = (low + high) / 2
      if condition(wides[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

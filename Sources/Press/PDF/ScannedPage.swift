internal import CQPDF
internal import PressProtocol

/// Finds the photograph that is all one sees of a page, as scanners and makers of comics write it:
/// one JPEG, and perhaps invisible text over it.
struct ScannedPage {
  private let objects: PDFObjects
  private let page: qpdf_oh
  /// The edges of the page in its own units: left, bottom, right, top.
  private let box: [Double]
  /// The image that was drawn.
  private var image: qpdf_oh?
  private var state = State()
  private var saved: [State] = []
  /// The rectangle of the current path, if it is only one.
  private var rectangle: [Double]?
  private var hasOtherPath = false

  /// The part of the graphics state that decides.
  private struct State {
    /// The transformation: x' = a x + c y + e, y' = b x + d y + f.
    var matrix = [1.0, 0, 0, 1, 0, 0]
    var isTextInvisible = false
  }

  /// The largest content of a page that is read, in bytes.
  private static let contentMax = 1 << 20
  private static let savedMax = 64

  /// Returns the JPEG file of a page; nil if the page shows anything else.
  static func photograph(_ objects: PDFObjects, page index: Int, atMost limit: Int) -> JPEGFile? {
    defer { objects.release() }
    guard let page = objects.page(index), var scan = ScannedPage(objects, page),
      let content = objects.content(of: page, atMost: contentMax), scan.draws(content),
      let image = scan.image, let bytes = objects.data(of: image, atMost: limit)
    else { return nil }
    return JPEGFile(bytes)
  }

  private init?(_ objects: PDFObjects, _ page: qpdf_oh) {
    (self.objects, self.page) = (objects, page)
    let edges = objects.inherited("/CropBox", of: page) ?? objects.inherited("/MediaBox", of: page)
    guard let edges = edges.flatMap({ objects.numbers($0, count: 4) }),
      Self.isUpright(objects.inherited("/Rotate", of: page), objects),
      Self.hasOnlyLinks(objects.key("/Annots", of: page), objects)
    else { return nil }
    box = [
      min(edges[0], edges[2]), min(edges[1], edges[3]), max(edges[0], edges[2]),
      max(edges[1], edges[3]),
    ]
    guard box[2] - box[0] >= 1, box[3] - box[1] >= 1 else { return nil }
  }

  private static func isUpright(_ turn: qpdf_oh?, _ objects: PDFObjects) -> Bool {
    guard let turn else { return true }
    return qpdf_oh_is_number(objects.document, turn) != 0
      && qpdf_oh_get_numeric_value(objects.document, turn) == 0
  }

  private static func hasOnlyLinks(_ list: qpdf_oh, _ objects: PDFObjects) -> Bool {
    if qpdf_oh_is_null(objects.document, list) != 0 { return true }
    let count = qpdf_oh_get_array_n_items(objects.document, list)
    guard qpdf_oh_is_array(objects.document, list) != 0, count <= 256 else { return false }
    return (0..<count).allSatisfy { index in
      let note = qpdf_oh_get_array_item(objects.document, list, index)
      return objects.isName(objects.key("/Subtype", of: note), "/Link")
    }
  }

  // MARK: Operators

  /// Returns whether a content shows one image, and nothing else.
  private mutating func draws(_ content: [UInt8]) -> Bool {
    var operators = PageOperators(content)
    while let (name, operands) = operators.next() {
      guard allows(name, operands) else { return false }
    }
    return image != nil
  }

  private mutating func allows(_ name: String, _ operands: [PageOperators.Operand]) -> Bool {
    switch name {
    case "q":
      saved.append(state)
      return saved.count <= Self.savedMax
    case "Q":
      guard let last = saved.popLast() else { return false }
      state = last
    case "cm": return transform(Self.numbers(operands, 6))
    case "Do": return draw(operands.last)
    case "gs": return isPlain(operands.last)
    case "Tr": state.isTextInvisible = operands.last == .number(3)
    case "Tj", "TJ", "'", "\"": return state.isTextInvisible
    case "re":
      guard rectangle == nil, let numbers = Self.numbers(operands, 4) else { return false }
      rectangle = numbers
    case "m", "l", "c", "v", "y", "h": hasOtherPath = true
    case "W", "W*": return isWholePage
    case "n": (rectangle, hasOtherPath) = (nil, false)
    // Optional content can be hidden.
    case "BDC": return operands.first != .name("OC")
    default: return Self.invisible.contains(name)
    }
    return true
  }

  /// The operators that draw nothing by themselves.
  private static let invisible: Set = [
    "g", "G", "rg", "RG", "k", "K", "cs", "CS", "sc", "SC", "scn", "SCN", "w", "J", "j", "M", "d",
    "i", "ri", "BT", "ET", "Tf", "Td", "TD", "Tm", "T*", "Tc", "Tw", "Tz", "TL", "Ts", "BMC", "EMC",
    "MP", "DP", "BX", "EX",
  ]

  private static func numbers(_ operands: [PageOperators.Operand], _ count: Int) -> [Double]? {
    let numbers = operands.compactMap { operand -> Double? in
      if case .number(let number) = operand { number } else { nil }
    }
    return numbers.count == count && operands.count == count ? numbers : nil
  }

  private mutating func transform(_ by: [Double]?) -> Bool {
    guard let by else { return false }
    let old = state.matrix
    state.matrix = [
      by[0] * old[0] + by[1] * old[2], by[0] * old[1] + by[1] * old[3],
      by[2] * old[0] + by[3] * old[2], by[2] * old[1] + by[3] * old[3],
      by[4] * old[0] + by[5] * old[2] + old[4], by[4] * old[1] + by[5] * old[3] + old[5],
    ]
    return state.matrix.allSatisfy(\.isFinite)
  }

  /// Whether the current path is a rectangle that contains the page.
  private var isWholePage: Bool {
    guard let rectangle, !hasOtherPath else { return false }
    let edges = edges(of: rectangle)
    return zip(edges.prefix(2), box.prefix(2)).allSatisfy { $0 <= $1 + tolerance }
      && zip(edges.suffix(2), box.suffix(2)).allSatisfy { $0 >= $1 - tolerance }
  }

  /// Returns the edges of a rectangle on the page; empty ones if it is not upright.
  private func edges(of rectangle: [Double]) -> [Double] {
    let (x, y, m) = (rectangle[0], rectangle[1], state.matrix)
    guard abs(m[1]) + abs(m[2]) <= 1e-3 * (abs(m[0]) + abs(m[3])) else { return [0, 0, 0, 0] }
    let corners = [x * m[0] + m[4], y * m[3] + m[5]]
    let others = [(x + rectangle[2]) * m[0] + m[4], (y + rectangle[3]) * m[3] + m[5]]
    return zip(corners, others).map(min) + zip(corners, others).map(max)
  }

  /// The distance that an image may differ from the edge of its page, in the page's units.
  private var tolerance: Double { 0.005 * min(box[2] - box[0], box[3] - box[1]) }

  private mutating func draw(_ operand: PageOperators.Operand?) -> Bool {
    let resources = objects.inherited("/Resources", of: page)
    guard image == nil, case .name(let name)? = operand, let resources,
      state.matrix[0] > 0, state.matrix[3] > 0,
      zip(edges(of: [0, 0, 1, 1]), box).allSatisfy({ abs($0 - $1) <= tolerance })
    else { return false }
    let found = objects.key("/" + name, of: objects.key("/XObject", of: resources))
    guard qpdf_oh_is_stream(objects.document, found) != 0,
      isPhotograph(qpdf_oh_get_dict(objects.document, found))
    else { return false }
    image = found
    return true
  }

  /// Whether a graphics state is opaque and without effects.
  private func isPlain(_ operand: PageOperators.Operand?) -> Bool {
    guard case .name(let name)? = operand,
      let resources = objects.inherited("/Resources", of: page)
    else { return false }
    let effects = objects.key("/" + name, of: objects.key("/ExtGState", of: resources))
    let isOpaque = ["/ca", "/CA"].allSatisfy { name in
      let opacity = objects.key(name, of: effects)
      return objects.isAbsent(name, in: effects)
        || qpdf_oh_get_numeric_value(objects.document, opacity) == 1
    }
    return isOpaque && objects.isAbsent("/TR", in: effects)
      && (objects.isAbsent("/BM", in: effects)
        || objects.isName(objects.key("/BM", of: effects), "/Normal"))
      && (objects.isAbsent("/SMask", in: effects)
        || objects.isName(objects.key("/SMask", of: effects), "/None"))
  }

  /// Whether an image is a JPEG whose pixels are shown as they are.
  private func isPhotograph(_ image: qpdf_oh) -> Bool {
    let changes = ["/SMask", "/Mask", "/Decode", "/DecodeParms", "/ImageMask", "/OC"]
    let filter = objects.key("/Filter", of: image)
    let isJPEG =
      objects.isName(filter, "/DCTDecode")
      || qpdf_oh_get_array_n_items(objects.document, filter) == 1
        && objects.isName(qpdf_oh_get_array_item(objects.document, filter, 0), "/DCTDecode")
    return isJPEG && objects.isName(objects.key("/Subtype", of: image), "/Image")
      && changes.allSatisfy { objects.isAbsent($0, in: image) }
      && isColour(objects.key("/ColorSpace", of: image))
  }

  private func isColour(_ space: qpdf_oh) -> Bool {
    if objects.isName(space, "/DeviceRGB", "/DeviceGray") { return true }
    guard qpdf_oh_is_array(objects.document, space) != 0,
      qpdf_oh_get_array_n_items(objects.document, space) == 2
    else { return false }
    let kind = qpdf_oh_get_array_item(objects.document, space, 0)
    let profile = qpdf_oh_get_array_item(objects.document, space, 1)
    guard objects.isName(kind, "/ICCBased"), qpdf_oh_is_stream(objects.document, profile) != 0
    else { return objects.isName(kind, "/CalRGB", "/CalGray") }
    let parts = objects.key("/N", of: qpdf_oh_get_dict(objects.document, profile))
    return [1, 3].contains(qpdf_oh_get_numeric_value(objects.document, parts))
  }
}

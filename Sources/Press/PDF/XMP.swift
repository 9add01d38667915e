/// The XMP metadata of a PDF, for values that its older dictionary omits.
struct XMP {
  private(set) var title = ""
  private(set) var author = ""
  private(set) var language = ""

  /// The maximum size of a packet that is read, in bytes; larger ones contain pictures or
  /// histories.
  private static let bytesMax = 1 << 20

  /// Parses a packet; one that is not XML has no values.
  init(_ packet: String) {
    guard !packet.isEmpty, packet.utf8.count <= Self.bytesMax,
      let root = XMLElement(Array(packet.utf8))
    else { return }
    var title = ""
    var authors: [String] = []
    var language = ""
    root.forEach { element in
      switch element.name {
      case "title": if title.isEmpty { title = Self.items(of: element).first ?? "" }
      case "creator": if authors.isEmpty { authors = Self.items(of: element) }
      case "language": if language.isEmpty { language = Self.items(of: element).first ?? "" }
      default: break
      }
    }
    self.title = title
    author = authors.joined(separator: ", ")
    self.language = language
  }

  /// Returns the items of a list or of alternatives, the one for every language first.
  private static func items(of element: XMLElement) -> [String] {
    let kinds = ["Alt", "Seq", "Bag"]
    guard let list = element.children.first(where: { kinds.contains($0.name) }) else {
      return element.trimmed.isEmpty ? [] : [element.trimmed]
    }
    let items = list.children.filter { $0.name == "li" && !$0.trimmed.isEmpty }
    let preferred = items.filter { $0.attributes["lang"] == "x-default" }
    return (list.name == "Alt" ? preferred + items : items).map(\.trimmed)
  }
}

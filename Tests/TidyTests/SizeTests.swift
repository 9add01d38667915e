import Testing

@Suite("Sizes of types and functions")
struct SizeTests {
  /// The maximum number of stored properties of a type.
  static let propertiesMax = 15
  /// The maximum number of lines of a function's body, including its braces.
  static let functionLinesMax = 60

  /// The limits of the types that may have more stored properties: a matrix has its entries.
  static let largeTypes = ["Motion.Transform3D": 16]

  /// The maximum number of lines of a type over all its files, `Type.swift` and `Type+Slice.swift`.
  static let typeLinesMax = 1000

  /// The types that are still longer, with limits that only go down.
  static let longTypes = ["Rooms.Room": 1460]

  /// All sources, by their paths.
  private static let outlines = Result {
    try Repository.swift(under: "Sources").map { (path: $0.path, outline: SourceOutline($0.text)) }
  }

  @Test("a type has at most fifteen stored properties")
  func types() throws {
    var large: [String: Int] = [:]
    for (path, outline) in try Self.outlines.get() {
      let target = path.split(separator: "/")[1]
      for (type, count) in outline.storedProperties {
        let name = "\(target).\(type)"
        if count > Self.largeTypes[name] ?? Self.propertiesMax { large[name] = count }
      }
    }
    #expect(large == [:])
  }

  @Test("a type has at most a thousand lines over all its files")
  func typeLines() throws {
    var lines: [String: Int] = [:]
    for file in try Repository.swift(under: "Sources") {
      let parts = file.path.split(separator: "/")
      let name = parts.last?.split(whereSeparator: { "+.".contains($0) }).first ?? ""
      lines["\(parts[1]).\(name)", default: 0] += file.lines.count
    }
    let long = lines.filter { $0.value > Self.longTypes[$0.key] ?? Self.typeLinesMax }
    #expect(long == [:])
  }

  @Test("a function has at most sixty lines")
  func functions() throws {
    let long = try Self.outlines.get().flatMap { path, outline in
      outline.functions
        .filter { $0.length > Self.functionLinesMax }
        .map { "\(path):\($0.line) \($0.name) has \($0.length)" }
    }
    #expect(long == [])
  }
}

@Suite("The outline of a source")
struct SourceOutlineTests {
  private func count(_ lines: String...) -> [String: Int] {
    SourceOutline(lines.joined(separator: "\n")).storedProperties
  }

  @Test("each name of a property counts, whatever its value is")
  func stored() {
    let properties = count(
      "public struct A<T: B>: Sendable {",
      "  let one: Int, two: [String: Int]",
      "  private(set) var three = [1, 2].map { one in one * 2 }, four = 4",
      "  @Bound(x) lazy var five: (Int, Int) -> Int = { a, b in let c = a; return c + b }",
      "  var six = \"{ \\(text(\"}\")) let x\" // let seven: Int",
      "  weak var eight: C? { didSet { let before = oldValue } }",
      "}"
    )
    #expect(properties == ["A": 7])
  }

  @Test("computed and static properties, and those of functions, do not count")
  func others() {
    let properties = count(
      "final class A {",
      "  static let one = 1",
      "  class var two: Int { 2 }",
      "  var three: Int { let four = 4; return four }",
      "  var five: Int {",
      "    get { 5 }",
      "    set { let six = newValue }",
      "  }",
      "  func seven(",
      "    _ eight: Int = { 8 }()",
      "  ) -> Int",
      "  {",
      "    var nine = 9",
      "    return nine",
      "  }",
      "  struct B { var ten: Int }",
      "}",
      "extension A.B { struct C { let eleven = 11 } }"
    )
    #expect(properties == ["A.B": 1, "A.B.C": 1])
  }

  @Test("a function is as long as its body, from brace to brace")
  func functions() {
    let outline = SourceOutline(
      """
      struct A {
        init() {
          print("{")
        }
        func a<T>(
          _ b: T
        ) throws(E) -> T where T: C {
          if true { return b }
          return [b].map {
            $0
          }[0]
        }
      }
      protocol P {
        func c()
        var d: Int { get }
      }
      """
    )
    #expect(outline.functions.map(\.name) == ["init", "a"])
    #expect(outline.functions.map(\.line) == [2, 7] && outline.functions.map(\.length) == [3, 6])
    #expect(outline.storedProperties == ["A": 0].filter { $0.value > 0 })
  }
}

import Foundation
import Motion
import Recording
import Scene
import Testing

@Suite("Logs")
struct LogTests {
  private static let places = [
    Point(x: 0, y: 0), Point(x: -112, y: 37.25), Point(x: 0.1 + 0.2, y: 1e-300),
    Point(x: -1e15, y: 123_456_789.123_456_79),
  ]

  private static let inputs: [Input] =
    places.flatMap { [.tap($0), .touch($0)] }
    + GesturePhase.allCases.flatMap { phase in
      places.flatMap { [.pan(phase, $0), .pinch(phase, scale: 1.0 / 3, $0)] }
    } + Key.allCases.map { .key($0) } + [
      .wheel(dx: 0, dy: -100, ctrl: false), .wheel(dx: 1.5, dy: 1e-7, ctrl: true),
      .jump(page: 7), .go(book: "b \"7\"", opens: true, page: 3),
      .go(book: "b", opens: false, page: nil), .images(ready: nil), .images(ready: []),
      .images(ready: [3, 4]),
    ] + LayOrder.allCases.map { .lay($0) }
    + [.close(onBack: true), .close(onBack: false)]

  private func data(_ text: String) -> Data { Data(text.utf8) }

  @Test("every input is decoded as it was encoded")
  func inputsRoundTrip() throws {
    for input in Self.inputs {
      for room in [nil, "r-1", "a \"quoted\" \\ \n room\u{1}"] {
        let line = LogLine(time: 17.100000000000001, room: room, event: .input(input))
        #expect(try LogLine(text: line.text, number: 1) == line)
        #expect(!line.text.contains("\n"))
      }
    }
    let frame = LogLine(time: 1e-9, room: "x", event: .frame)
    #expect(try LogLine(text: frame.text, number: 1) == frame)
    for places in [
      [], [Bookmark(book: "0/0", spread: 1)],
      [Bookmark(book: "b \"7\"", spread: 3, isFlat: true), Bookmark(book: "4/0", spread: 1000)],
    ] {
      let opening = LogLine(time: 0.5, room: "x", event: .opened(bookmarks: places))
      #expect(try LogLine(text: opening.text, number: 1) == opening)
    }
    let book = BookOutline(id: "b7", pageCount: 9, pageSize: Size(width: 3, height: 4))
    let other = LibraryOutline(collections: [CollectionOutline(id: "c", books: [book])])
    for event in [LogLine.Event.library(other), .opened(bookmarks: [], library: other)] {
      let line = LogLine(time: 2, room: "x", event: event)
      #expect(try LogLine(text: line.text, number: 1) == line)
    }
  }

  @Test("a number out of range is an error that names it")
  func numberOutOfRange() throws {
    let most = "9223372036854775807"
    let lines = [
      "\"input\":\"jump\",\"page\":\(most)", "\"input\":\"tap\",\"x\":1e309,\"y\":0",
      "\"input\":\"images\",\"ready\":[\(most)]",
      "\"input\":\"go\",\"book\":\"b\",\"page\":\(most)",
      "\"event\":\"opened\",\"places\":[{\"book\":\"b\",\"spread\":\(most)}]",
    ]
    for line in lines {
      #expect(throws: RecordingError.self, "\(line)") {
        try LogLine(text: "{\"t\":1,\(line)}", number: 1)
      }
    }
    #expect(throws: RecordingError.self) {
      try LogLine(text: "{\"t\":1e300,\"event\":\"began\"}", number: 1)
    }
  }

  @Test("a recording is read as it was written")
  func recordingRoundTrip() throws {
    let library = LibraryOutline(collections: [
      CollectionOutline(books: [
        BookOutline(pageCount: 14, pageSize: Size(width: 300, height: 470.5)),
        BookOutline(
          pageCount: 1,
          pageSize: Size(width: 4, height: 3),
          progression: .rightToLeft,
          stock: .card
        ),
        BookOutline(pageCount: 8, pageSize: Size(width: 4, height: 3), stock: .board),
        BookOutline(pageCount: 1, pageSize: Size(width: 2, height: 3), isReadable: false),
      ]), CollectionOutline(books: []),
    ])
    let lines = Self.inputs.enumerated().map { index, input in
      LogLine(time: Double(index) / 7, room: "r", event: .input(input))
    }
    // Frames may be written ahead of inputs with earlier times.
    let all = [LogLine(time: 100, room: "r", event: .frame)] + lines
    let text = ([LogHeader(library: library).text] + all.map(\.text)).joined(separator: "\n")
    let recording = try LogReader.recording(of: data(text))
    #expect(recording.header.library == library && recording.lines == all)
  }

  @Test(
    "a recorded book without a paper stock, or with an unknown one, is on paper",
    arguments: [
      ("", PaperStock.paper), (#","stock":"paper""#, .paper), (#","stock":"card""#, .card),
      (#","stock":"board""#, .board), (#","stock":"felt""#, .paper), (#","stock":2"#, .paper),
      (#","stock":null"#, .paper),
    ]
  )
  func recordedStock(field: String, stock: PaperStock) throws {
    let header = #"{"lectern":1,"library":[[{"pages":4,"width":3,"height":4\#(field)}]]}"#
    let recording = try LogReader.recording(of: data(header + "\n"))
    #expect(recording.header.library.collections[0].books.map(\.stock) == [stock])
  }

  @Test("every number survives encoding and decoding to its last bit")
  func numbersRoundTrip() throws {
    // The low bits of a multiplicative sequence are numbers of all sizes, the same on every run.
    var bits: UInt64 = 0x9e37_79b9_7f4a_7c15
    for step in 0..<20_000 {
      bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let small = Double(bits >> 11) / 9_007_199_254_740_992 * 1000
      let any = Double(bitPattern: bits)
      let value = step.isMultiple(of: 2) || !any.isFinite ? small : any
      let line = LogLine(time: small, event: .input(.tap(Point(x: value, y: -value))))
      guard try LogLine(text: line.text, number: 1) != line else { continue }
      Issue.record("\(line.text) is read as another")
    }
  }

  @Test("numbers can be decoded exactly, and there is no negative zero")
  func numberFormat() {
    #expect(JSON.number(-0.0) == "0" && JSON.number(120) == "120")
    for value: Double in [
      0.1, 1.0 / 3, 1e300, .leastNonzeroMagnitude, 1e15, -126.69999999999999, 2e22,
    ] {
      #expect(Double(JSON.number(value)) == value)
    }
  }

  @Test("empty lines, all kinds of line ends and unknown fields and keys are ignored")
  func ignoredLines()
    throws
  {
    let text =
      "\r\n{\"t\":1,\"input\":\"tap\",\"x\":1,\"y\":2,\"more\":[1]}\r\n   \n"
      + "{\"t\":2,\"input\":\"key\",\"key\":\"F13\"}\n{\"t\":3,\"input\":\"key\",\"key\":\"End\"}"
    let lines = try LogReader.lines(of: data(text))
    #expect(
      lines == [
        LogLine(time: 1, event: .input(.tap(Point(x: 1, y: 2)))),
        LogLine(time: 3, event: .input(.key(.end))),
      ]
    )
    #expect(try LogReader.lines(of: data("")) == [])
  }

  @Test(
    "the error for an invalid line names the line, its field and its value",
    arguments: [
      (#"{"t":1,"input":"tap","x":"a","y":2}"#, [#""x" is "a""#, "number"]),
      (#"{"t":1,"input":"tap","x":true,"y":2}"#, [#""x" is true"#, "number"]),
      (#"{"t":1,"input":"tap","x":null,"y":2}"#, [#""x" is null"#, "number"]),
      (#"{"t":1,"input":"tap","y":2}"#, [#""x" is missing"#]),
      (#"{"input":"tap","x":1,"y":2}"#, [#""t" is missing"#]),
      (#"{"t":"1","input":"tap","x":1,"y":2}"#, [#""t" is "1""#]),
      (#"{"t":1}"#, [#""input" is missing"#]),
      (#"{"t":1,"input":"hop"}"#, [#""input" is "hop""#, "tap, touch, pan, pinch"]),
      (#"{"t":1,"input":"pan","phase":"start","x":1,"y":2}"#, [#""phase" is "start""#, "began"]),
      (#"{"t":1,"input":"pinch","phase":"began","scale":0,"x":1,"y":2}"#, [#""scale" is 0"#]),
      (#"{"t":1,"input":"pinch","phase":"began","x":1,"y":2}"#, [#""scale" is missing"#]),
      (#"{"t":1,"input":"key"}"#, [#""key" is missing"#]),
      (#"{"t":1,"input":"key","key":7}"#, [#""key" is 7"#]),
      (#"{"t":1,"input":"wheel","dx":0,"dy":1,"ctrl":1}"#, [#""ctrl" is 1"#, "true or false"]),
      (#"{"t":1,"event":"opened"}"#, [#""places" is missing"#]),
      (
        #"{"t":1,"event":"opened","places":[[0,1]]}"#,
        [#""places" is"#, "\"spread\""]
      ),
      (#"{"t":1,"event":"opened","places":[[0,1,-1]]}"#, [#""places" is"#]),
      (#"{"t":1,"event":"opened","places":[0,1,2]}"#, [#""places" is"#]),
      ("[1]", ["not a JSON object"]), ("{", ["not a JSON object"]), ("nonsense", [#""nonsense""#]),
    ]
  )
  func invalidLines(line: String, words: [String]) {
    let good = #"{"t":0,"input":"tap","x":0,"y":0}"#
    let error = #expect(throws: RecordingError.self) {
      try LogReader.lines(of: data("\(good)\n\n\(line)\n"))
    }
    #expect(error?.line == 3)
    for word in words {
      #expect(error?.reason.contains(word) == true, "\(String(describing: error))")
    }
    #expect(error?.description.hasPrefix("line 3: ") == true)
    #expect(error?.description.contains("\n") == false)
  }

  @Test("times must not decrease")
  func decreasingTimes() {
    let text = #"{"t":2,"input":"key","key":"End"}"# + "\n" + #"{"t":1,"input":"key","key":"End"}"#
    let error = #expect(throws: RecordingError.self) { try LogReader.lines(of: data(text)) }
    #expect(error?.line == 2 && error?.reason.contains("1, but an earlier line has 2") == true)
  }

  @Test(
    "a recording without a valid header is rejected at its first line",
    arguments: [
      "", "{}", #"{"lectern":2,"library":[]}"#, #"{"lectern":1}"#,
      #"{"lectern":1,"library":[[{}]]}"#,
      #"{"lectern":1,"library":[[{"pages":0,"width":1,"height":1}]]}"#,
      #"{"lectern":1,"library":[[{"pages":1,"width":-1,"height":1}]]}"#,
      #"{"t":1,"input":"tap","x":0,"y":0}"#,
    ]
  )
  func invalidHeader(header: String) {
    let error = #expect(throws: RecordingError.self) {
      try LogReader.recording(of: data(header + "\n"))
    }
    #expect(error?.line == 1)
  }
}

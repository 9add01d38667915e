internal import Foundation
internal import Motion
internal import Recording
internal import Scene
internal import Staging

/// `lectern frames`: prints the frames that gestures produce, without a server or a clock.
enum FramesCommand {
  static let definition = Command(
    "frames",
    "[options] < input.ndjson",
    summary: "read gestures from standard input, print the frames they make",
    text: "Prints one JSON line a frame at t = k / rate, k = 0 ... floor(until * rate).",
    groups: [OptionGroup(options)],
    notes: notes
  ) { words throws(CommandError) in try run(words) }

  private static let options = [
    Option("--pages", "N", "pages of each book with its covers (12)", isSetting: false),
    Option(
      "--page-size",
      "WxH",
      "the size of a page; only its aspect counts (362x568)",
      isSetting: false
    ),
    Option(
      "--stock",
      "STOCK",
      "paper, card or board (board)",
      value: .oneOf(["paper", "card", "board"]),
      isSetting: false
    ),
    Option(
      "--books",
      "N",
      "books of each collection (5), named b0, b1 and so on across all",
      isSetting: false
    ), Option("--collections", "N", "collections (1)", isSetting: false),
    Option(
      "--start",
      "SCREEN",
      "collections, shelf or book (collections)",
      value: .oneOf(["collections", "shelf", "book"]),
      isSetting: false
    ),
    Option(
      "--drag",
      "RULE",
      "covers: the touched point stays under the finger, and past its ends the book closes; paper:"
        + " past its ends it yields; scroll: one leaf a stage width (covers)",
      value: .oneOf(["covers", "paper", "scroll"]),
      isSetting: false
    ), Option("--rate", "HZ", "frames a second (60)", isSetting: false),
    Option("--until", "SECONDS", "time of the last frame (3)", isSetting: false), .help,
  ]

  private static let notes = """
    Input, one JSON object a line. "t" is a time in seconds, which never goes back; "x" and "y" are
    stage points from the centre, x to the right and y down; a stage is 1024 x 768 points. Pages,
    books and collections count from 0.
      {"t":0.1,"input":"tap","x":0,"y":0}
      {"t":0.2,"input":"touch","x":200,"y":0}                    where a finger was put down
      {"t":0.2,"input":"pan","phase":"began","x":190,"y":0}      began, changed, ended, cancelled
      {"t":0.3,"input":"pan","phase":"changed","x":-112,"y":0}
      {"t":0.4,"input":"pan","phase":"ended","x":-112,"y":0}
      {"t":0.5,"input":"pinch","phase":"began","scale":1,"x":0,"y":0}  scale 1 is the start
      {"t":0.6,"input":"pinch","phase":"ended","scale":1.5,"x":0,"y":0}
      {"t":0.7,"input":"wheel","dx":0,"dy":100,"ctrl":false}     CSS pixels; with ctrl it zooms
      {"t":0.7,"input":"close","cover":"back"}                   front, back: from its last spread
      {"t":0.8,"input":"go","book":"b1","open":true,"page":4}    without "page": where it was left
      {"t":2.8,"input":"key","key":"ArrowRight"}                 names of the DOM; "f" lays it flat
      {"t":2.9,"input":"lay","pose":"flat"}                      flat, standing, toggle
      {"t":2.9,"input":"jump","page":7}                          one leaf
      {"t":2.9,"input":"images","ready":[0,1,2]}                 leaves wait for other pages
      {"t":3,"input":"settle"}                                   ends every motion
    """

  struct Options: Equatable {
    var library: LibraryOutline
    var start: Screen
    var dragRule: DragRule
    var rate: Double
    var until: Double
  }

  static func run(_ words: [String]) throws(CommandError) {
    if Arguments.askForHelp(words) { return try Console.write(definition.help) }
    let options = try options(words)
    var inputs: [LogLine] = []
    do {
      inputs = try LogReader.lines(of: FileHandle.standardInput.readDataToEndOfFile())
    } catch { throw .usage("\(error)") }
    var output = LineOutput()
    try frames(options: options, inputs: inputs) { line throws(CommandError) in
      try output.add(line)
    }
    try output.finish()
  }

  static func options(_ words: [String]) throws(CommandError) -> Options {
    var arguments = Arguments(words)
    let pages = try arguments.integer("--pages", default: 12, in: 1...1_000_000)
    let books = try arguments.integer("--books", default: 5, in: 0...100_000)
    let collections = try arguments.integer("--collections", default: 1, in: 1...10_000)
    let size = try pageSize(try arguments.value("--page-size") ?? "362x568")
    let stock = try stock(try arguments.value("--stock") ?? PaperStock.board.name)
    let name = try arguments.value("--start") ?? "collections"
    guard let start = Screen.allCases.first(where: { "\($0)" == name }) else {
      throw .usage("--start is \"\(name)\", but must be collections, shelf or book")
    }
    let drag = try arguments.value("--drag") ?? DragRule.covers.rawValue
    guard let dragRule = DragRule(rawValue: drag) else {
      throw .usage("--drag is \"\(drag)\", but must be covers, paper or scroll")
    }
    let rate = try arguments.number("--rate", in: 0.001...100_000) ?? 60
    let until = try arguments.number("--until", in: 0...1_000_000) ?? 3
    try arguments.finish()
    let shelves = (0..<collections).map { collection in
      CollectionOutline(
        books: (0..<books).map { book in
          let id = "b\(collection * books + book)"
          return BookOutline(id: id, pageCount: pages, pageSize: size, stock: stock)
        }
      )
    }
    return Options(
      library: LibraryOutline(collections: shelves),
      start: start,
      dragRule: dragRule,
      rate: rate,
      until: until
    )
  }

  private static func stock(_ name: String) throws(CommandError) -> PaperStock {
    guard let stock = PaperStock(name: name) else {
      throw .usage("--stock is \"\(name)\", but must be paper, card or board")
    }
    return stock
  }

  private static func pageSize(_ text: String) throws(CommandError) -> Size {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Double($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0,
      width.isFinite, height.isFinite
    else {
      throw .usage("--page-size is \"\(text)\", but must be like 300x500, both above 0")
    }
    return Size(width: width, height: height)
  }

  /// How much later than a frame an input may be dated and still apply before it, in seconds; it
  /// absorbs the rounding of decimal times.
  private static let timeSlack = 1e-9

  /// Plays the inputs and prints the frames, until printing fails.
  static func frames<Failure: Error>(
    options: Options,
    inputs: [LogLine],
    print: (String) throws(Failure) -> Void
  ) throws(Failure) {
    var stage = Stage(library: options.library, start: options.start, dragRule: options.dragRule)
    var frame = stage.frame(at: 0)
    var next = inputs.startIndex
    let last = Int((options.until * options.rate + timeSlack).rounded(.down))
    for number in 0...last {
      let time = Double(number) / options.rate
      while next < inputs.endIndex, inputs[next].time <= time + timeSlack {
        if case .input(let input) = inputs[next].event { stage.apply(input, at: inputs[next].time) }
        next += 1
      }
      stage.render(at: time, into: &frame)
      let line = FrameLine.text(
        of: frame,
        number: number,
        time: time,
        index: stage.library.index(of:)
      )
      try print(line)
    }
  }
}

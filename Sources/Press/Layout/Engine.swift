internal import Bytes
internal import CPoppler
internal import CSandbox
internal import Glibc
internal import PressProtocol

/// A browser engine that lays out the texts of a book and prints them as PDF.
///
/// It runs in its own confinement and has no network. Every request of a page is answered from the
/// book, or fails; scripts do not run.
final class Engine {
  /// The address of the book's root, as its pages see it; such a host cannot exist.
  static let root = "https://book.invalid/"
  /// The time for one text, in seconds.
  private static let secondsPerText = 60.0
  /// What pages may load; no script and nothing from elsewhere.
  private static let policy =
    "default-src 'none'; img-src \(root) data:; style-src \(root) data: 'unsafe-inline'; "
    + "font-src \(root) data:; frame-src 'none'; base-uri 'none'; form-action 'none'"

  private let tools: DevTools
  private var isReady = false
  /// The file for a name in the archive; nil if there is none.
  var resource: (String) -> Publication.Resource? = { _ in nil }

  init(_ tools: DevTools) {
    self.tools = tools
    tools.receive = { [unowned self] (event) throws(PressFault) in try self.receive(event) }
  }

  /// Prepares an engine before the process is confined; it starts with its first text.
  /// - Parameters:
  ///   - program: The path of `chromium-headless-shell`.
  ///   - limits: The limits of the engine.
  /// - Returns: The connection and its descriptors; nil if the system has no descriptor or process
  ///   left.
  static func prepare(
    _ program: String,
    _ limits: PressLimits
  ) -> (tools: DevTools, descriptors: [Int32])? {
    var (to, from): (Int32, Int32) = (-1, -1)
    let failed = program.withCString { program in
      var engine = lectern_engine(
        program: program,
        memory: UInt64(limits.memory.engineBytes),
        seconds: UInt64(limits.time.layoutSeconds)
      )
      return lectern_prepare_engine(&engine, &to, &from)
    }
    return failed == 0 ? (DevTools(to: to, from: from), [to, from]) : nil
  }

  /// Loads a text; its name in the archive decides where its addresses lead.
  func load(_ name: String) throws(PressFault) {
    tools.deadline = DevTools.now + Self.secondsPerText
    if !isReady { try start() }
    let answer = try tools.call(
      "Page.navigate",
      ["url": .text(Self.root + Self.escaped(name))]
    )
    guard let loader = answer?["loaderId"]?.text, answer?["errorText"] == nil else {
      throw .engineFailed("navigate")
    }
    // Those of the page before are still under way.
    try tools.wait(for: "Page.lifecycleEvent") { event in
      event["loaderId"]?.text == loader && event["name"]?.text == "load"
    }
    // Fonts that only the layout requests.
    try evaluate("document.fonts.ready.then(() => 0)")
  }

  /// Evaluates an expression of ours in the page, or waits for its promise.
  @discardableResult
  func evaluate(_ expression: String) throws(PressFault) -> JSONValue? {
    try tools.call(
      "Runtime.evaluate",
      ["expression": .text(expression), "returnByValue": true, "awaitPromise": true]
    )?["result"]?["value"]
  }

  /// Sets the size of the window in CSS pixels, in which widths are measured before printing.
  func resize(width: Double, height: Double) throws(PressFault) {
    tools.deadline = DevTools.now + Self.secondsPerText
    if !isReady { try start() }
    try tools.call(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .number(width.rounded()), "height": .number(height.rounded()),
        "deviceScaleFactor": 1.0, "mobile": false,
      ]
    )
  }

  /// Prints the loaded text.
  /// - Parameter isOnePage: Whether only the first page is printed.
  /// - Returns: A PDF.
  /// - Throws: ``PressFault/engineFailed(_:)``, or that the engine took too long.
  func print(isOnePage: Bool) throws(PressFault) -> [UInt8] {
    let answer = try tools.call(
      "Page.printToPDF",
      [
        "preferCSSPageSize": true, "printBackground": true, "generateTaggedPDF": false,
        "pageRanges": isOnePage ? "1" : "",
      ]
    )
    guard let text = answer?["data"]?.text else { throw .engineFailed("print") }
    var count: gsize = 0
    guard let data = g_base64_decode(text, &count) else { throw .engineFailed("print") }
    defer { g_free(data) }
    return Array(UnsafeBufferPointer(start: data, count: Int(count)))
  }

  private func start() throws(PressFault) {
    tools.deadline = DevTools.now + Self.secondsPerText
    let target = try tools.call("Target.createTarget", ["url": "about:blank"])
    guard let id = target?["targetId"]?.text else { throw .engineFailed("target") }
    let session = try tools.call("Target.attachToTarget", ["targetId": .text(id), "flatten": true])
    guard let session = session?["sessionId"]?.text else { throw .engineFailed("session") }
    tools.session = session
    try tools.call("Page.enable")
    try tools.call("Page.setLifecycleEventsEnabled", ["enabled": true])
    try tools.call("Inspector.enable")
    try tools.call("Fetch.enable", ["patterns": [["urlPattern": "*"]]])
    try tools.call("Emulation.setScriptExecutionDisabled", ["value": true])
    try tools.call("Emulation.setEmulatedMedia", ["media": "print"])
    isReady = true
  }

  private func receive(_ event: DevTools.Event) throws(PressFault) {
    guard event.method == "Fetch.requestPaused", let id = event.values["requestId"] else { return }
    let address = event.values["request"]?["url"]?.text ?? ""
    guard let name = Self.name(of: address), let file = resource(name) else {
      try tools.send("Fetch.failRequest", ["requestId": id, "errorReason": "BlockedByClient"])
      return
    }
    let encoded = g_base64_encode(file.bytes, gsize(file.bytes.count))
    let body = encoded.map { String(cString: $0) } ?? ""
    g_free(encoded)
    try tools.send(
      "Fetch.fulfillRequest",
      [
        "requestId": id, "responseCode": 200.0,
        "responseHeaders": [
          ["name": "content-type", "value": .text(file.type)],
          ["name": "content-security-policy", "value": .text(Self.policy)],
          ["name": "x-content-type-options", "value": "nosniff"],
        ],
        "body": .text(body),
      ]
    )
  }

  /// Returns the name in the archive for an address of a page; nil for every other address.
  static func name(of address: String) -> String? {
    guard address.hasPrefix(root) else { return nil }
    let path = address.dropFirst(root.count).prefix { $0 != "#" && $0 != "?" }
    return Hexadecimal.unescaped(path).flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// Returns a name as it stands in an address.
  static func escaped(_ name: String) -> String {
    var text = ""
    for byte in name.utf8 {
      let isPlain =
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
        || [UInt8(ascii: "/"), 0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
      text += isPlain ? String(Unicode.Scalar(byte)) : "%" + Hexadecimal.text([byte])
    }
    return text
  }
}

import Glibc
import PressProtocol

// A press for tests: the document is a list of orders, one per line, that control its behaviour.
//
//     pages N         has N pages                  password WORD   needs a password
//     damaged         cannot be opened             die-open        ends instead of opening
//     die PAGE        ends on that page            hang PAGE       never answers on that page
//     slow MS         takes MS for each page       once FILE       ends once, then makes FILE
//     garbage PAGE    sends an invalid frame       liar PAGE       sends an invalid picture
//     big BYTES       the size of pictures         mutter WORD     writes it to its standard error
//     entries N SIZE  is an archive                die-entry N     ends before that entry
//     twice PAGE      sends an image twice         babble          sends facts without end
//     boast BYTES     has a title of that size     shout           writes diagnostics without end
//     loose           reports that it could not confine itself
//     spend           uses CPU time on any page until the kernel kills it
struct StandInPress {
  var orders: [String: [String]] = [:]
  var isOpen = false

  /// Returns a number that follows an order.
  func number(_ order: String, _ index: Int = 0) -> Int? {
    orders[order].flatMap { $0.indices.contains(index) ? Int($0[index]) : nil }
  }

  func readAll(_ descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    var offset = 0
    while case let count = pread(descriptor, &part, part.count, offset), count > 0 {
      bytes += part[..<count]
      offset += count
    }
    return bytes
  }

  mutating func take(_ text: [UInt8]) {
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      orders[words[0]] = Array(words.dropFirst())
    }
  }

  func writeAll(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
      guard count > 0 else { exit(0) }
      sent += count
    }
  }

  func answer(_ reply: PressReply) { writeAll(reply.encoded()) }

  func die() -> Never {
    kill(getpid(), SIGKILL)
    exit(1)
  }

  func facts() -> DocumentFacts {
    let page = PageFacts(width: 300, height: 400)
    let isArchive = orders["entries"] != nil
    let title = String(repeating: "\u{202E}A\n", count: (number("boast") ?? 0) / 5)
    return DocumentFacts(
      format: isArchive ? .zip : .pdf,
      title: title,
      pages: isArchive ? [] : Array(repeating: page, count: number("pages") ?? 0),
      needsExtraction: isArchive
    )
  }

  mutating func open(password: String) -> PressReply {
    take(readAll(3))
    if orders["die-open"] != nil { die() }
    if orders["damaged"] != nil { return .fault(.damaged(.pdf)) }
    if orders["loose"] != nil { return .fault(.unconfined("landlock")) }
    if let expected = orders["password"]?.first, password != expected {
      return .fault(password.isEmpty ? .encrypted : .wrongPassword)
    }
    isOpen = true
    return .opened(DocumentFacts(format: .pdf))
  }

  /// Returns facts about how the press was started.
  func confession() -> String {
    var descriptors: [String] = []
    for descriptor in 0..<Int32(256) where fcntl(descriptor, F_GETFD) >= 0 {
      descriptors.append(String(descriptor))
    }
    let file = Glibc.open("/proc/self/environ", O_RDONLY)
    let variables = readAll(file).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    let arguments = CommandLine.arguments.dropFirst().joined(separator: " ")
    return descriptors.joined(separator: ",") + "\n" + variables.sorted().joined(separator: " ")
      + "\n" + arguments
  }

  func misbehave(_ page: Int) {
    if let word = orders["mutter"]?.first {
      _ = Array((word + "\n").utf8).withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    }
    if let file = orders["once"]?.first, access(file, F_OK) != 0 {
      Glibc.close(creat(file, 0o600))
      die()
    }
    if orders["spend"] != nil {
      setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), [rlimit(rlim_cur: 1, rlim_max: 1)])
      while true {}
    }
    while orders["shout"] != nil {
      let words = [UInt8](String(repeating: "\u{1B}[2Jhelp\n", count: 4_000).utf8)
      if words.withUnsafeBytes({ write(2, $0.baseAddress, $0.count) }) < 0 { exit(0) }
    }
    if number("die") == page { die() }
    if number("hang") == page { while true { pause() } }
    if number("garbage") == page { writeAll([UInt8](repeating: 0xEE, count: 100)) }
    if let milliseconds = number("slow") { usleep(UInt32(milliseconds) * 1000) }
  }

  /// Returns bytes that only begin like a picture; the rest states which press made them and why.
  func rendition(_ page: Int, _ height: Int, _ effort: Effort) -> PressReply {
    var bytes = Array("RIFF....WEBP".utf8)
    if number("liar") == page { bytes = Array("<script>".utf8) }
    bytes += Array("\(getpid()) \(page) \(height) \(effort)".utf8)
    let size = number("big") ?? 0
    bytes += [UInt8](repeating: 0, count: max(0, size - bytes.count))
    return .rendition(
      RenditionBytes(bytes: bytes, mediaType: .webp, width: 30, height: height, kind: .text)
    )
  }

  func extract() -> PressReply {
    let count = number("entries") ?? 0
    let image = ImageFacts(format: .png, width: 3, height: 4)
    for entry in 0..<count {
      if number("die-entry") == entry { die() }
      let bytes = [UInt8](
        repeating: UInt8(truncatingIfNeeded: entry),
        count: number("entries", 1) ?? 1
      )
      let asset = PressReply.asset(
        Asset(page: entry, name: "\(entry).png", bytes: bytes, facts: image)
      )
      answer(asset)
      if number("twice") == entry { answer(asset) }
    }
    var facts = facts()
    facts.pages = Array(repeating: PageFacts(width: 3, height: 4), count: count)
    repeat { answer(.opened(facts)) } while orders["babble"] != nil
    return .done
  }

  mutating func reply(to request: PressRequest) -> PressReply {
    switch request {
    case .open(let password): return open(password: password)
    case .image(let bytes, let height, let effort):
      take(bytes)
      if height == 0 { return .imageFacts(ImageFacts(format: .png, width: 30, height: 40)) }
      misbehave(0)
      return rendition(bytes.count, height, effort)
    case .headers(let heads):
      return .headers(heads.map { _ in .failure(.unknownFormat) })
    case .colours: return .colours([])
    case _ where !isOpen: return .fault(.badRequest("nothing is open"))
    case .facts: return .opened(facts())
    case .outline: return .outline([OutlineEntry(depth: 0, title: "One", page: 1)])
    case .extract: return extract()
    case .page(let page):
      misbehave(page)
      return .page(PageContent(text: confession()))
    case .render(let page, let height, let effort):
      let count = number("pages") ?? 0
      guard page < count else { return .fault(.noSuchPage(page, count: count)) }
      misbehave(page)
      return rendition(page, height, effort)
    }
  }
}

var press = StandInPress()
var buffer = PressFrameBuffer()
var part = [UInt8](repeating: 0, count: 1 << 16)
while case let count = read(0, &part, part.count), count > 0 {
  buffer.append(part[..<count])
  while let message = try buffer.next() {
    press.answer(press.reply(to: try PressRequest(decoding: message)))
  }
}

import Foundation
import PressProtocol
import Testing

/// A press in a separate process, as the server runs it.
final class PressProcess {
  private let process: pid_t
  private let requests: Int32
  private let replies: Int32
  private let errors: Int32
  private var isOver = false

  /// The folder of the executables, which is that of the tests.
  private static let folder: String = {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    let own =
      bundle ?? (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    let beside = (own ?? "") as NSString
    return beside.deletingLastPathComponent
  }()

  /// Held while descriptors are created and passed on, so that no other press inherits them.
  private static let spawning = NSLock()

  /// Starts a press, with or without a document, and with a descriptor that it must not keep.
  init(
    _ document: [UInt8]? = nil,
    _ arguments: [String] = [],
    program: String = "lectern-press",
    spare: Int32? = nil
  ) throws {
    // A press that has ended must not end the tests that write to it.
    signal(SIGPIPE, SIG_IGN)
    Self.spawning.lock()
    defer { Self.spawning.unlock() }
    let file = try document.map(Self.opened)
    defer { if let file { close(file) } }
    let (requestEnd, requests) = try Self.pipe()
    let (replies, replyEnd) = try Self.pipe()
    let (errors, errorEnd) = try Self.pipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, requestEnd, 0)
    posix_spawn_file_actions_adddup2(&actions, replyEnd, 1)
    posix_spawn_file_actions_adddup2(&actions, errorEnd, 2)
    if let file {
      posix_spawn_file_actions_adddup2(&actions, file, 3)
    } else {
      posix_spawn_file_actions_addclose(&actions, 3)
    }
    if let spare { posix_spawn_file_actions_adddup2(&actions, 2, spare) }
    let executable = "\(Self.folder)/\(program)"
    let environment = ["LANG=C.UTF-8", "MALLOC_ARENA_MAX=2", "SWIFT_BACKTRACE=enable=no"]
    var argv = ([executable] + arguments).map { strdup($0) } + [nil]
    var envp = environment.map { strdup($0) } + [nil]
    defer { for text in argv + envp { free(text) } }
    var process: pid_t = 0
    let status = posix_spawn(&process, executable, &actions, nil, &argv, &envp)
    for end in [requestEnd, replyEnd, errorEnd] { close(end) }
    try #require(status == 0, "\(executable): \(String(cString: strerror(status)))")
    (self.process, self.requests, self.replies, self.errors) = (process, requests, replies, errors)
  }

  deinit { _ = end() }

  /// Returns a descriptor of an unnamed file with these bytes.
  private static func opened(_ bytes: [UInt8]) throws -> Int32 {
    let stream = try #require(tmpfile())
    // The number is above the press's own descriptors, so that each can be moved to its place.
    let file = fcntl(fileno(stream), F_DUPFD_CLOEXEC, 10)
    fclose(stream)
    try #require(file >= 0)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        write(file, $0.baseAddress?.advanced(by: done), bytes.count - done)
      }
      try #require(count > 0)
      done += count
    }
    return file
  }

  /// Creates a pipe that other children do not inherit and returns its reading end, then its
  /// writing end.
  private static func pipe() throws -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(Foundation.pipe(&ends) == 0)
    return (aside(ends[0]), aside(ends[1]))
  }

  /// Moves a descriptor to a higher number and closes it in children.
  private static func aside(_ descriptor: Int32) -> Int32 {
    defer { close(descriptor) }
    return fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
  }

  /// Sends a signal.
  func send(signal: Int32) { kill(process, signal) }

  /// Sends bytes unchanged.
  func send(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let count = write(requests, buffer.baseAddress?.advanced(by: done), buffer.count - done)
        if count <= 0 { return }
        done += count
      }
    }
  }

  private func read(_ count: Int, from descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < count {
      let got = Foundation.read(descriptor, &chunk, min(chunk.count, count - bytes.count))
      if got <= 0 { break }
      bytes += chunk[..<got]
    }
    return bytes
  }

  /// Returns the next reply; `nil` if the press has ended.
  func receive() throws -> PressReply? {
    let header = read(PressFrame.headerBytes, from: replies)
    if header.isEmpty { return nil }
    return try PressReply(decoding: read(PressFrame.length(header), from: replies))
  }

  /// Sends a request and returns its reply, or the first part of it.
  func ask(_ request: PressRequest) throws -> PressReply? {
    send(request.encoded())
    return try receive()
  }

  /// Ends the press by closing its input and waits for it to exit.
  /// - Returns: The signal or exit code, and its output and diagnostics.
  @discardableResult
  func end() -> (signal: Int32?, code: Int32, output: String, errors: String) {
    guard !isOver else { return (nil, 0, "", "") }
    isOver = true
    close(requests)
    let output = String(decoding: read(.max, from: replies), as: UTF8.self)
    let complaints = String(decoding: read(.max, from: errors), as: UTF8.self)
    close(replies)
    close(errors)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    let signal = status & 0x7F
    return (signal == 0 ? nil : signal, status >> 8 & 0xFF, output, complaints)
  }
}

extension PressProcess {
  /// Opens the document and reads the facts that it states about itself.
  func open(_ password: String = "") throws -> DocumentFacts {
    _ = try facts(.open(password: password))
    return try facts(.facts)
  }

  private func facts(_ request: PressRequest) throws -> DocumentFacts {
    switch try ask(request) {
    case .opened(let facts)?: return facts
    case .fault(let fault)?: throw fault
    case let other: throw Unexpected(reply: other)
    }
  }

  /// Renders a page.
  func render(_ page: Int, _ height: Int, _ effort: Effort = .onDemand) throws -> RenditionBytes {
    try rendition(ask(.render(page: page, height: height, effort: effort)))
  }

  /// Renders an image.
  func draw(_ image: [UInt8], _ height: Int, _ effort: Effort = .onDemand) throws -> RenditionBytes
  {
    try rendition(ask(.image(bytes: image, height: height, effort: effort)))
  }

  private func rendition(_ reply: PressReply?) throws -> RenditionBytes {
    switch reply {
    case .rendition(let rendition)?: return rendition
    case .fault(let fault)?: throw fault
    case let other: throw Unexpected(reply: other)
    }
  }

  /// Reads the text of a page.
  func content(_ page: Int) throws -> PageContent {
    switch try ask(.page(page)) {
    case .page(let content)?: return content
    case .fault(let fault)?: throw fault
    case let other: throw Unexpected(reply: other)
    }
  }

  /// Returns the table of contents.
  func outline() throws -> [OutlineEntry] {
    switch try ask(.outline) {
    case .outline(let entries)?: return entries
    case let other: throw Unexpected(reply: other)
    }
  }

  /// Extracts the images of an archive, in reading order, or lays a document out.
  func extract(_ size: TypeSize = .standard) throws -> (facts: DocumentFacts, assets: [Asset]) {
    var assets: [Asset] = []
    var reply = try ask(.extract(size))
    while case .asset(let asset)? = reply {
      assets.append(asset)
      reply = try receive()
    }
    if case .fault(let fault)? = reply { throw fault }
    guard case .opened(let facts)? = reply, try receive() == .done else {
      throw Unexpected(reply: reply)
    }
    return (facts, assets.sorted { $0.page < $1.page })
  }
}

/// A reply of an unexpected kind.
struct Unexpected: Error {
  let reply: PressReply?
}

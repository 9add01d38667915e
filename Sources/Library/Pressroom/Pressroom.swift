internal import Dispatch
internal import Foundation
internal import PressProtocol
internal import Telemetry

/// Prints pages and reads documents, in presses: confined processes.
///
/// Owns one thread, which starts the presses and talks to them. All methods may be called from any
/// thread. At most `cores` presses are alive at once, or two where there is one core, so that an
/// import never keeps a page from being shown. A press of a document stays for a minute after its
/// last page.
final class Pressroom: Sendable {
  private let inbox: PressroomInbox
  private let ended = DispatchSemaphore(value: 0)

  /// Starts the thread; presses are started when there is work.
  /// - Parameters:
  ///   - press: The path of the program `lectern-press`.
  ///   - cores: How many presses may be alive; at least 2 are.
  ///   - limits: What a document may cost.
  ///   - ownFolder: A folder, in which a symbolic link is nobody's image and is not followed.
  ///   - log: Hears why presses ended that should not have.
  /// - Throws: ``PressroomError`` if the system has no pipe left.
  convenience init(
    press: String,
    cores: Int,
    limits: PressLimits = .standard,
    ownFolder: String? = nil,
    log: Log = .disabled
  ) throws(PressroomError) {
    var schedule = ScheduleLimits()
    schedule.slots = max(2, cores)
    schedule.press = limits
    try self.init(press: press, limits: schedule, ownFolder: ownFolder, log: log)
  }

  init(
    press: String,
    limits: ScheduleLimits,
    ownFolder: String? = nil,
    log: Log = .disabled
  ) throws(PressroomError) {
    do throws(SpawnFailure) {
      inbox = try PressroomInbox()
    } catch {
      throw PressroomError(reason: error.reason)
    }
    let options = PressroomLoop.Options(
      press: press,
      arguments: limits.press.arguments,
      ownFolder: ownFolder,
      limits: limits,
      log: log
    )
    let thread = Thread { [inbox, ended] in
      PressroomLoop(options, inbox: inbox).run()
      ended.signal()
    }
    thread.name = "pressroom"
    thread.start()
  }

  deinit { stop() }

  /// Prints a page for a ticket.
  ///
  /// Equal work is done once, and every ticket that waits for it is answered.
  /// - Parameters:
  ///   - work: The page and its size.
  ///   - ticket: Who waits for it, and how urgently.
  ///   - completion: Called once, unless the ticket is cancelled before; on the pressroom's thread,
  ///     which must not wait.
  func print(
    _ work: PressWork,
    for ticket: PrintTicket,
    completion: @escaping @Sendable (Result<RenditionBytes, PressFault>) -> Void
  ) {
    ticket.send(work, to: inbox) { answer in
      completion(
        answer.flatMap { reply in
          if case .rendition(let rendition) = reply {
            .success(rendition)
          } else {
            .failure(.noReply)
          }
        }
      )
    }
  }

  /// Opens a document, to read it at leisure; blocks until it is open.
  /// - Throws: Why it cannot be opened: ``PressFault/encrypted`` asks for a password.
  func session(
    _ path: String,
    password: String = ""
  ) throws(PressFault) -> PressSession {
    let source = PressSource.document(
      path: path,
      password: password,
      version: FileVersion(path)
    )
    let reply = try wait(for: PressWork(source: source, task: .facts))
    guard case .opened(let facts) = reply else { throw .noReply }
    return PressSession(pressroom: self, source: source, facts: facts)
  }

  /// Reads the header of an image file; blocks.
  func imageFacts(_ path: String) throws(PressFault) -> ImageFacts {
    let task = PressTask.image(path: path, page: 0, height: 0)
    let reply = try wait(for: PressWork(source: .images, task: task))
    guard case .imageFacts(let facts) = reply else { throw .noReply }
    return facts
  }

  /// Reads the headers of images from the first bytes of their files; blocks.
  ///
  /// At most ``PressRequest/headersMax`` images.
  func headers(
    of heads: [[UInt8]]
  ) throws(PressFault) -> [Result<ImageHeader, ImageFault>] {
    let reply = try wait { PressWork(source: .images, task: .headers(.init(id: $0, files: heads))) }
    guard case .headers(let headers) = reply else { throw .noReply }
    return headers
  }

  /// Reads the colours of a drawing in SVG, as `0xRRGGBB`; blocks.
  func colours(of drawing: [UInt8]) throws(PressFault) -> [UInt32] {
    let reply = try wait {
      PressWork(source: .images, task: .colours(.init(id: $0, files: [drawing])))
    }
    guard case .colours(let colours) = reply else { throw .noReply }
    return colours
  }

  /// Ends all presses and answers what is not answered with ``PressFault/closing``.
  ///
  /// Blocks until the presses are gone, about a hundredth of a second. May be called more than
  /// once.
  func stop() {
    inbox.post(.stop)
    ended.wait()
    ended.signal()
  }

  /// Asks for work and blocks until it is done.
  func wait(for work: PressWork) throws(PressFault) -> PressReply { try wait { _ in work } }

  /// Asks for work that is given the number of its waiter, and blocks until it is done.
  private func wait(_ work: (Waiter.ID) -> PressWork) throws(PressFault) -> PressReply {
    let channel = AssetChannel()
    let ticket = PrintTicket()
    ticket.send(work(ticket.waiter.id), to: inbox) { channel.put(.end($0)) }
    guard case .end(let answer) = channel.next() else { throw .noReply }
    return try answer.get()
  }

  /// Has an archive taken apart and blocks until that is done.
  /// - Returns: The last reply: the facts as they became known.
  func extract(
    _ source: PressSource,
    _ sink: (Asset) throws -> Void
  ) throws -> PressReply {
    let channel = AssetChannel()
    let ticket = PrintTicket(parts: channel)
    let id = ticket.waiter.id
    ticket.send(PressWork(source: source, task: .extract(id)), to: inbox) { channel.put(.end($0)) }
    defer { ticket.cancel() }
    while true {
      switch channel.next() {
      case .asset(let asset):
        try sink(asset)
        inbox.post(.taken(id))
      case .end(let answer): return try answer.get()
      }
    }
  }

  /// Lets go of the presses of a source as soon as they have nothing to do.
  func release(_ source: PressSource) { inbox.post(.release(source)) }
}

/// A reason that there is no pressroom.
struct PressroomError: Error, Equatable, CustomStringConvertible {
  /// The system's own words.
  let reason: String

  /// What was wrong and what to do.
  var description: String {
    "No page can be printed: \(reason). Check the limits of the system (ulimit -n)."
  }
}

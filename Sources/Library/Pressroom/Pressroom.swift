internal import Dispatch
internal import Foundation
public import PressProtocol
public import Telemetry

/// Prints pages and reads documents, in presses: processes that can do no harm.
///
/// Owns one thread, which starts the presses and talks to them. All methods may be called from any
/// thread. At most `cores` presses are alive at once, or two where there is one core, so that an
/// import never keeps a page from being shown. A press of a document stays for a minute after its
/// last page.
///
/// ```swift
/// let pressroom = try Pressroom(press: "/usr/libexec/lectern-press", cores: 4)
/// let ticket = pressroom.print(job, priority: .visible) { answer in ... }
/// ```
public final class Pressroom: Sendable {
  private let inbox: PressroomInbox
  private let answers = DispatchQueue(label: "pressroom answers")
  private let ended = DispatchSemaphore(value: 0)

  /// Starts the thread; presses are started when there is work.
  /// - Parameters:
  ///   - press: The path of the program `lectern-press`.
  ///   - cores: How many presses may be alive; at least 2 are.
  ///   - limits: What a document may cost.
  ///   - ownFolder: A folder, in which a symbolic link is nobody's image and is not followed.
  ///   - log: Hears why presses ended that should not have.
  /// - Throws: ``PressroomError`` if the system has no pipe left.
  public convenience init(
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
    let thread = Thread { [inbox, answers, ended] in
      PressroomLoop(options, inbox: inbox, answers: answers).run()
      ended.signal()
    }
    thread.name = "pressroom"
    thread.start()
  }

  deinit { stop() }

  /// Prints a page.
  ///
  /// Equal jobs are printed once and answered each. A blank page is a transparent point.
  /// - Parameters:
  ///   - job: The page and its size.
  ///   - priority: How soon it is wanted. The background gets smaller files that take longer.
  ///   - requester: Who wants it: requesters take turns.
  ///   - completion: Called once, on a queue of the pressroom's own on which other answers wait;
  ///     never if the ticket was cancelled before.
  /// - Returns: What takes the request back.
  @discardableResult public func print(
    _ job: PrintJob,
    priority: PrintPriority,
    for requester: Requester = .library,
    completion: @escaping @Sendable (Result<RenditionBytes, PressFault>) -> Void
  ) -> PrintTicket {
    let asker = Asker(id: inbox.newAsker(), requester: requester) { answer in
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
    switch PressWork.printing(job) {
    case .success(let work?): ask(work, priority, asker)
    case .success(nil): answers.async { asker.answer(.success(.rendition(.blank))) }
    case .failure(let fault): answers.async { asker.answer(.failure(fault)) }
    }
    return PrintTicket(asker: asker, inbox: inbox)
  }

  /// Opens a document, to read it at leisure; blocks until it is open.
  /// - Throws: Why it cannot be opened: ``PressFault/encrypted`` asks for a password.
  public func session(
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
  public func imageFacts(_ path: String) throws(PressFault) -> ImageFacts {
    let task = PressTask.image(path: path, page: 0, height: 0)
    let reply = try wait(for: PressWork(source: .images, task: task))
    guard case .imageFacts(let facts) = reply else { throw .noReply }
    return facts
  }

  /// Ends all presses and answers what is not answered with ``PressFault/closing``.
  ///
  /// Blocks until the presses are gone, about a hundredth of a second. The last answers may come a
  /// little later. May be called more than once.
  public func stop() {
    inbox.post(.stop)
    ended.wait()
    ended.signal()
  }

  /// Asks for work and blocks until it is done.
  func wait(for work: PressWork) throws(PressFault) -> PressReply {
    let channel = AssetChannel()
    let asker = Asker(id: inbox.newAsker(), isQuick: true) { channel.put(.end($0)) }
    ask(work, .background, asker)
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
    let id = inbox.newAsker()
    let asker = Asker(id: id, parts: channel, isQuick: true) { channel.put(.end($0)) }
    ask(PressWork(source: source, task: .extract(id)), .background, asker)
    defer { if asker.leave() { inbox.post(.cancel(id)) } }
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

  private func ask(_ work: PressWork, _ priority: PrintPriority, _ asker: Asker) {
    guard !inbox.post(.ask(work, priority, asker)) else { return }
    if asker.isQuick {
      asker.answer(.failure(.closing))
    } else {
      answers.async { asker.answer(.failure(.closing)) }
    }
  }
}

/// A request for a page that can be taken back.
public final class PrintTicket: Sendable {
  private let asker: Asker
  private let inbox: PressroomInbox

  init(asker: Asker, inbox: PressroomInbox) {
    self.asker = asker
    self.inbox = inbox
  }

  /// Takes the request back: unless the answer is being given just now, it will not come.
  ///
  /// Nothing happens once it was answered. A ticket that is let go of cancels nothing.
  public func cancel() {
    if asker.leave() { inbox.post(.cancel(asker.id)) }
  }
}

/// A reason that there is no pressroom.
public struct PressroomError: Error, Equatable, CustomStringConvertible {
  /// The system's own words.
  public let reason: String

  /// What was wrong and what to do.
  public var description: String {
    "No page can be printed: \(reason). Check the limits of the system (ulimit -n)."
  }
}

internal import Dispatch
internal import Foundation
package import PressProtocol
package import Telemetry

/// Renders pages and reads documents in presses, which are sandboxed processes.
///
/// Owns one thread, which starts the presses and communicates with them. All methods can be called
/// from any thread. At most `cores` presses run at once, or two on a single core, so that an import
/// never prevents a page from being shown. The press of a document stays for a minute after its
/// last page.
package final class Pressroom: Sendable {
  private let inbox: PressroomInbox
  private let ended = DispatchSemaphore(value: 0)

  /// Starts the thread; presses are started when there is work.
  /// - Parameters:
  ///   - press: The path of the program `lectern-press`.
  ///   - cores: The maximum number of presses; at least 2 are allowed.
  ///   - limits: The limits of a document.
  ///   - ownFolder: A folder in which symbolic links are not followed.
  ///   - log: Receives unexpected ends of presses.
  /// - Throws: ``PressroomError`` if the system cannot create a pipe.
  package convenience init(
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

  package init(
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

  /// Renders a page for a ticket.
  ///
  /// Requests for equal work are coalesced; every ticket that waits for the work is answered.
  /// - Parameters:
  ///   - work: The page and its size.
  ///   - ticket: The waiter and the priority.
  ///   - completion: Called once, unless the ticket is cancelled first, on the pressroom's thread,
  ///     which must not block.
  package func print(
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

  /// Opens a document for an import; blocks until it is open.
  /// - Throws: The reason that it cannot be opened: ``PressFault/encrypted`` if it needs a
  ///   password.
  package func session(_ path: String, password: String = "") throws(PressFault) -> PressSession {
    let source = PressSource.document(path: path, password: password, version: FileVersion(path))
    let reply = try wait(for: PressWork(source: source, task: .facts))
    guard case .opened(let facts) = reply else { throw .noReply }
    return PressSession(pressroom: self, source: source, facts: facts)
  }

  /// Reads the header of an image file; blocks.
  package func imageFacts(_ path: String) throws(PressFault) -> ImageFacts {
    let task = PressTask.image(path: path, page: 0, height: 0)
    let reply = try wait(for: PressWork(source: .images, task: task))
    guard case .imageFacts(let facts) = reply else { throw .noReply }
    return facts
  }

  /// Reads the headers of images from the first bytes of their files; blocks.
  ///
  /// Accepts at most ``PressRequest/headersMax`` images.
  package func headers(
    of heads: [[UInt8]]
  ) throws(PressFault) -> [Result<ImageHeader, ImageFault>] {
    let reply = try wait { PressWork(source: .images, task: .headers(.init(id: $0, files: heads))) }
    guard case .headers(let headers) = reply else { throw .noReply }
    return headers
  }

  /// Reads the colours of an SVG drawing, as `0xRRGGBB`; blocks.
  package func colours(of drawing: [UInt8]) throws(PressFault) -> [UInt32] {
    let reply = try wait {
      PressWork(source: .images, task: .colours(.init(id: $0, files: [drawing])))
    }
    guard case .colours(let colours) = reply else { throw .noReply }
    return colours
  }

  /// Ends all presses and answers all open requests with ``PressFault/closing``.
  ///
  /// Blocks until the presses have ended, for about 10 ms. May be called more than once.
  package func stop() {
    inbox.post(.stop)
    ended.wait()
    ended.signal()
  }

  /// Requests work and blocks until it is done.
  package func wait(for work: PressWork) throws(PressFault) -> PressReply { try wait { _ in work } }

  /// Requests work that depends on the number of its waiter, and blocks until it is done.
  private func wait(_ work: (Waiter.ID) -> PressWork) throws(PressFault) -> PressReply {
    let channel = AssetChannel()
    let ticket = PrintTicket()
    ticket.send(work(ticket.waiter.id), to: inbox) { channel.put(.end($0)) }
    guard case .end(let answer) = channel.next() else { throw .noReply }
    return try answer.get()
  }

  /// Extracts an archive, or lays a document out, and blocks until this is done.
  /// - Returns: The last reply, with the facts that became known.
  package func extract(
    _ source: PressSource,
    _ size: TypeSize,
    _ sink: (Asset) throws -> Void
  ) throws -> PressReply {
    let channel = AssetChannel()
    let ticket = PrintTicket(for: .library, parts: channel)
    let id = ticket.waiter.id
    ticket.send(PressWork(source: source, task: .extract(id, size)), to: inbox) {
      channel.put(.end($0))
    }
    defer { ticket.cancel() }
    while true {
      switch channel.next() {
      case .asset(let asset):
        try sink(asset)
        inbox.post(.accepted(id))
      case .end(let answer): return try answer.get()
      }
    }
  }

  /// Releases the presses of a source as soon as they are idle.
  package func release(_ source: PressSource) { inbox.post(.release(source)) }
}

/// A reason that no pressroom can be created.
package struct PressroomError: Error, Equatable, CustomStringConvertible {
  /// The message of the system.
  package let reason: String

  /// What is wrong and what to do.
  package var description: String {
    "No page can be rendered: \(reason). Check the limits of the system (ulimit -n)."
  }
}

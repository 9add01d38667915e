import Dispatch
import Foundation
import Glibc
import PressProtocol
import Synchronization
import Telemetry
import TestDocuments
import Testing

@testable import Pressroom

/// All tests that start presses; they run one after another, because each uses both cores.
@Suite("Presses", .serialized, .timeLimit(.minutes(10)))
struct PressesTests {
  /// The press that behaves as its document says.
  static let standIn = TestProgram.path("stand-in-press")
}

/// The answers to several requests, by number.
final class Answers: Sendable {
  typealias Answer = Result<RenditionBytes, PressFault>

  private let given = Mutex<[Int: [Answer]]>([:])
  private let arrivals = DispatchSemaphore(value: 0)

  /// Returns the completion of a request.
  func completion(_ number: Int) -> @Sendable (Answer) -> Void {
    { [self] answer in
      given.withLock { $0[number, default: []].append(answer) }
      arrivals.signal()
    }
  }

  /// Waits for a number of further answers; fails after a minute.
  func wait(_ count: Int) throws {
    for _ in 0..<count {
      try #require(arrivals.wait(timeout: .now() + 60) == .success, "an answer never came")
    }
  }

  subscript(_ number: Int) -> [Answer] { given.withLock { $0[number] ?? [] } }

  var all: [Int: [Answer]] { given.withLock { $0 } }

  /// Returns the words in a picture of the fake press: process, page, height, effort.
  func words(_ number: Int) throws -> [String] {
    let rendition = try #require(self[number].first).get()
    return String(decoding: rendition.bytes.dropFirst(12).prefix { $0 != 0 }, as: UTF8.self)
      .split(separator: " ").map(String.init)
  }
}

/// The resources of this process that it must release.
struct Belongings: Equatable {
  /// The descriptors of pipes and of files whose path contains this text.
  var descriptors: [String]
  /// The child processes of this process, running or not reaped.
  var children: [pid_t]

  /// - Parameter folder: The folder of the documents.
  init(folder: String) {
    let links = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    descriptors = links.sorted().compactMap { number in
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/\(number)"
      )
      guard let target, target.hasPrefix("pipe:") || target.contains(folder) else { return nil }
      return number + " " + target
    }
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    children = tasks.flatMap { task in
      let list = try? String(contentsOfFile: "/proc/self/task/\(task)/children", encoding: .utf8)
      return (list ?? "").split(separator: " ").compactMap { pid_t($0) }
    }
    .sorted()
  }
}

extension Pressroom {
  /// Creates a pressroom with the fake press and adjustable slots and times.
  static func standIn(
    _ folder: TemporaryFolder? = nil,
    log: Log = .disabled,
    change: (inout ScheduleLimits) -> Void = { _ in }
  ) throws -> Pressroom {
    var limits = ScheduleLimits()
    change(&limits)
    return try Pressroom(
      press: PressesTests.standIn,
      limits: limits,
      ownFolder: folder?.path,
      log: log
    )
  }
}

extension Pressroom {
  /// Renders a page for a requester.
  @discardableResult
  func print(
    _ work: PressWork,
    priority: PrintPriority,
    for requester: Requester = .library,
    completion: @escaping @Sendable (Result<RenditionBytes, PressFault>) -> Void
  ) -> PrintTicket {
    let ticket = PrintTicket(priority, for: requester)
    print(work, for: ticket, completion: completion)
    return ticket
  }
}

func job(
  _ path: String,
  _ page: Int,
  _ size: PageSize = .thumb,
  password: String = ""
) -> PressWork {
  .page(page, of: path, password: password, size: size)
}

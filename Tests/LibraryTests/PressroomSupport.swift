import Dispatch
import Foundation
import Glibc
import PressProtocol
import Synchronization
import Telemetry
import Testing

@testable import Library

/// All that starts presses; one after the other, because each takes both cores.
@Suite("Presses", .serialized, .timeLimit(.minutes(5)))
struct PressesTests {
  /// The press that does as its document says.
  static let standIn = program("stand-in-press")

  static func program(_ name: String) -> String {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent(name).path
  }
}

/// The answers to several requests, by a number for each.
final class Answers: Sendable {
  typealias Answer = Result<RenditionBytes, PressFault>

  private let given = Mutex<[Int: [Answer]]>([:])
  private let arrivals = DispatchSemaphore(value: 0)

  /// What a request is to be answered to.
  func completion(_ number: Int) -> @Sendable (Answer) -> Void {
    { [self] answer in
      given.withLock { $0[number, default: []].append(answer) }
      arrivals.signal()
    }
  }

  /// Waits until so many more answers have come; fails after a minute.
  func wait(_ count: Int) throws {
    for _ in 0..<count {
      try #require(arrivals.wait(timeout: .now() + 60) == .success, "an answer never came")
    }
  }

  subscript(_ number: Int) -> [Answer] { given.withLock { $0[number] ?? [] } }

  var all: [Int: [Answer]] { given.withLock { $0 } }

  /// The words in a picture of the stand-in: who printed it, page, height, effort.
  func words(_ number: Int) throws -> [String] {
    let rendition = try #require(self[number].first).get()
    return String(decoding: rendition.bytes.dropFirst(12).prefix { $0 != 0 }, as: UTF8.self)
      .split(separator: " ").map(String.init)
  }
}

/// What this process has that it must give back.
struct Belongings: Equatable {
  /// The descriptors of pipes and of files whose path has this in it.
  var descriptors: [String]
  /// The processes that this one started: running, or gone and not reaped.
  var children: [pid_t]

  /// - Parameter folder: Documents lie in here.
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
  /// A pressroom with the stand-in; slots and times can be changed.
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
  /// Prints a page for a requester.
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

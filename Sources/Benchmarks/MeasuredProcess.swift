internal import CLoad
internal import Foundation

/// A process whose CPU time is measured.
final class MeasuredProcess {
  private let process = Process()
  private let output = Pipe()

  /// Starts a program.
  /// - Parameters:
  ///   - path: The program.
  ///   - arguments: Its arguments.
  ///   - processor: The only processor that it may run on; nil for all.
  /// - Throws: An error if it does not start.
  init(_ path: String, _ arguments: [String], on processor: Int32? = nil) throws {
    process.executableURL = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    process.arguments = arguments
    process.standardOutput = output
    // A process inherits the processors of its parent, so that all its threads are bound.
    if let processor { load_bind(processor) }
    defer { if processor != nil { load_bind(1) } }
    try process.run()
  }

  /// Reads the port that the process prints when it listens.
  func readPort() throws -> Int {
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw CocoaError(.fileReadUnknown)
    }
    return port
  }

  /// Suspends the process, or lets it continue.
  func suspend(_ isSuspended: Bool) {
    kill(process.processIdentifier, isSuspended ? SIGSTOP : SIGCONT)
  }

  /// Limits each of the busiest threads to a share of a processor.
  /// - Throws: An error if the system does not permit it.
  func limitBusiest(_ threads: Int, to share: Double) throws {
    guard load_limit_busiest(process.processIdentifier, Int32(clamping: threads), share) == 0 else {
      throw BenchmarkError("the server's threads cannot be limited", errno)
    }
  }

  func stop() {
    suspend(false)
    process.terminate()
    process.waitUntilExit()
  }

  /// Runs work that returns its number of turns, and returns the CPU time for one turn, in seconds.
  func secondsEach(_ work: () throws -> Int) throws -> Double {
    let before = runSeconds
    let turns = try work()
    return (runSeconds - before) / Double(turns)
  }

  /// The time that all threads of the process have run, in seconds, by the kernel's accounting.
  var runSeconds: Double { Double(load_run_time(process.processIdentifier)) / 1e9 }

  /// The memory of the process that is in use, in bytes.
  var residentBytes: Int {
    let path = "/proc/\(process.processIdentifier)/statm"
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}

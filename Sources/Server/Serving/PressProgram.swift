internal import Foundation
private import Glibc
package import PressProtocol
internal import Telemetry

/// The program that opens documents.
package enum PressProgram {
  /// Returns the path of the program, which is in the same folder as this one, or installed.
  package static func path() throws(StartError) -> String {
    let places = InstalledFolders.places(of: "lectern-press")
    guard let path = places.first(where: FileManager.default.isExecutableFile) else {
      throw .failed(
        "\(places[0]) is missing, and nothing else opens documents; build it beside lectern"
      )
    }
    return path
  }

  /// How long an answer may take, in seconds.
  private static let patience = 10.0

  /// Runs a press that only answers a question about this machine.
  ///
  /// Blocks for some ten milliseconds, and for 10 seconds at most.
  /// - Parameters:
  ///   - argument: The question.
  ///   - path: The path of the press.
  /// - Returns: What it printed.
  /// - Throws: ``StartError`` if it does not run or does not answer.
  package static func answer(to argument: String, from path: String) throws(StartError) -> String {
    let (program, output) = (Process(), Pipe())
    program.executableURL = URL(fileURLWithPath: path)
    program.arguments = [argument]
    (program.standardInput, program.standardOutput) = (FileHandle.nullDevice, output)
    do { try program.run() } catch {
      throw .failed("\(path) does not run (\(error.localizedDescription))")
    }
    // Without an end, it does not write more than the pipe holds.
    let until = Date(timeIntervalSinceNow: patience)
    while program.isRunning, Date() < until { usleep(10_000) }
    guard !program.isRunning else {
      kill(program.processIdentifier, SIGKILL)
      throw .failed("\(path) did not answer in \(patience) s; try again")
    }
    let status = program.terminationStatus
    guard program.terminationReason == .exit, status == 0 else {
      let cause = program.terminationReason == .exit ? "status" : "signal"
      throw .failed("\(path) ended with the \(cause) \(status); start it by hand to see why")
    }
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns what confines a press on this machine; blocks like ``answer(to:from:)``.
  package static func confinement(of path: String) throws(StartError) -> ConfinementReport {
    ConfinementReport(text: try answer(to: ConfinementReport.argument, from: path))
  }
}

extension ConfinementReport {
  /// What it means for the operator, and what to do.
  package var sentence: String {
    switch self {
    case .whole: "Landlock, seccomp and limits confine the press, which opens the books."
    case .withoutFiles:
      "This kernel or container has no Landlock, so a book that takes over the press could read "
        + "what the server's user may read; seccomp and limits still keep it from writing, from "
        + "the network and from other programs. Use Linux 5.13 or later with landlock in its list "
        + "of security modules (/sys/kernel/security/lsm), and a container engine that permits it."
    case .failed(let call):
      "The press cannot confine itself (\(call)), so it opens no book. Permit the server's user "
        + "seccomp, as containers do by default."
    }
  }
}

extension Log {
  /// Logs once what confines the presses of this server; blocks like
  /// ``PressProgram/answer(to:from:)``.
  package func reportConfinement() {
    do throws(StartError) {
      let report = try PressProgram.confinement(of: try PressProgram.path())
      switch report {
      case .whole: info(.pressConfined, report.sentence)
      case .withoutFiles: warning(.pressConfined, report.sentence)
      case .failed: error(.pressConfined, report.sentence)
      }
    } catch { warning(.pressConfined, "What confines the press is unknown: \(error).") }
  }
}

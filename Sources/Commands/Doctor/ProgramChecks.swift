internal import Foundation
internal import Glibc
internal import Pressroom
internal import Server

/// Whether the files of the program and the books are there.
struct ProgramChecks {
  private let options: ReadingServer.Options

  init(_ options: ReadingServer.Options) { self.options = options }

  func findings() -> [Finding] {
    var findings: [Finding] = []
    var library = options.library
    do throws(CommandError) {
      let web = try ServeCommand.webFolder(options.web.isEmpty ? nil : options.web)
      findings.append(Finding("page files", .ok, web))
      if library.isEmpty { library = web + "/library" }
    } catch { findings.append(Finding("page files", .problem, "\(error)")) }
    do throws(StartError) {
      let path = try PressProgram.path()
      findings += [Finding("press", .ok, path), fonts(path)]
    } catch { findings.append(Finding("press", .problem, "\(error)")) }
    findings.append(layoutEngine)
    findings.append(folder(library))
    return findings
  }

  /// How long the list of fonts may take, in seconds.
  private static let patience = 10.0

  private func fonts(_ press: String) -> Finding {
    let (program, output) = (Process(), Pipe())
    program.executableURL = URL(fileURLWithPath: press)
    program.arguments = ["--missing-fonts"]
    (program.standardInput, program.standardOutput) = (FileHandle.nullDevice, output)
    do { try program.run() } catch {
      return Finding("fonts", .warning, "\(press) does not run (\(error.localizedDescription))")
    }
    // Without an end, it does not write more than the pipe holds.
    let until = Date(timeIntervalSinceNow: Self.patience)
    while program.isRunning, Date() < until { usleep(10_000) }
    guard !program.isRunning else {
      program.terminate()
      return Finding("fonts", .warning, "\(press) did not answer in \(Self.patience) s; try again")
    }
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    let languages = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .map(\.localizedCapitalized)
    guard !languages.isEmpty else {
      return Finding("fonts", .ok, "PDFs may name fonts that they do not contain")
    }
    return Finding(
      "fonts",
      .warning,
      "no font for \(languages.joined(separator: ", ")), so PDFs that do"
        + " not contain theirs have no such text; install one (Debian's package"
        + " fonts-droid-fallback)"
    )
  }

  private var layoutEngine: Finding {
    LayoutEngine.isInstalled
      ? Finding("EPUB layout", .ok, LayoutEngine.program)
      : Finding(
        "EPUB layout",
        .warning,
        "no engine, so only EPUBs whose pages are images can be read; install "
          + "Debian's package \(LayoutEngine.package) (in a clone: Scripts/install-epub)"
      )
  }

  private func folder(_ path: String) -> Finding {
    do {
      let count = try FileManager.default.contentsOfDirectory(atPath: path).count
      return Finding("library", .ok, "\(path) has \(count) books and collections")
    } catch {
      return Finding(
        "library",
        .problem,
        "\(path) cannot be read (\(error.localizedDescription)); name another folder with --library"
      )
    }
  }
}

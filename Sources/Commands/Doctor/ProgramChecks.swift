internal import Foundation
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
      findings.append(Finding("press", .ok, path))
    } catch { findings.append(Finding("press", .problem, "\(error)")) }
    findings.append(layoutEngine)
    findings.append(folder(library))
    return findings
  }

  private var layoutEngine: Finding {
    LayoutEngine.isInstalled
      ? Finding("EPUB layout", .ok, LayoutEngine.program)
      : Finding(
        "EPUB layout",
        .warning,
        "no engine, so only EPUBs whose pages are images can be read; install it with "
          + "Scripts/install-epub (Debian's package \(LayoutEngine.package))"
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

internal import Foundation
internal import Glibc
internal import PressProtocol
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
      findings += [Finding("press", .ok, path), confinement(path), fonts(path)]
    } catch { findings.append(Finding("press", .problem, "\(error)")) }
    findings.append(layoutEngine)
    findings.append(folder(library))
    return findings
  }

  private func confinement(_ press: String) -> Finding {
    do throws(StartError) {
      let report = try PressProgram.confinement(of: press)
      let verdict: Finding.Verdict =
        switch report {
        case .whole: .ok
        case .withoutFiles: .warning
        case .failed: .problem
        }
      return Finding("confinement", verdict, report.sentence)
    } catch { return Finding("confinement", .warning, "\(error), so it is unknown") }
  }

  private func fonts(_ press: String) -> Finding {
    let answer: String
    do throws(StartError) {
      answer = try PressProgram.answer(to: "--missing-fonts", from: press)
    } catch { return Finding("fonts", .warning, "\(error)") }
    let languages = answer.split(separator: "\n")
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
        "no engine, so no EPUB, MOBI, FB2 or text can be read but EPUBs whose pages are images; "
          + "install Debian's package \(LayoutEngine.package) (in a clone: Scripts/install-epub)"
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

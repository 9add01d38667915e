import Foundation
import Recording
import Scene

@testable import Commands
@testable import Server

/// Plays a log given as text and returns the lines that `lectern frames` prints.
func frameLines(_ words: [String], _ log: String) throws -> [String] {
  let options = try FramesCommand.options(words)
  let inputs = try LogReader.lines(of: Data(log.utf8))
  var lines: [String] = []
  FramesCommand.frames(options: options, inputs: inputs) { lines.append($0) }
  return lines
}

/// A printed frame.
struct PrintedFrame: Decodable {
  struct Element: Decodable {
    let kind: String
    let index, z: Int
    let part: Int?
    let matrix: [Double]
    let opacity, shade: Double
  }
  let t: Double
  let frame: Int
  let screen: String
  let settled: Bool
  let elements: [Element]

  func element(_ kind: String, _ index: Int) -> Element? {
    elements.first { $0.kind == kind && $0.index == index }
  }
}

func printedFrames(_ words: [String], _ log: String) throws -> [PrintedFrame] {
  try frameLines(words, log).map {
    try JSONDecoder().decode(PrintedFrame.self, from: Data($0.utf8))
  }
}

/// Returns the line with its fractions rounded to six places, so that a golden file shows only what
/// matters.
func rounded(_ line: String) -> String {
  var text = ""
  var token = ""
  func flush() {
    if token.contains(where: { $0 == "." || $0 == "e" }), let value = Double(token) {
      text += JSON.number((value * 1e6).rounded() / 1e6)
    } else {
      text += token
    }
    token = ""
  }
  for character in line {
    let isNumeric = character.isNumber || "+-.".contains(character)
    let isExponent = character == "e" && token.last?.isNumber == true
    if isNumeric || isExponent {
      token.append(character)
    } else {
      flush()
      text.append(character)
    }
  }
  flush()
  return text
}

import Foundation
import Recording

func checkRecording(_ bytes: [UInt8]) throws {
  let data = Data(bytes)
  do { _ = try LogReader.transcript(of: data) } catch { _ = "\(error)" }
  let recording: LogReader.Recording
  do { recording = try LogReader.recording(of: data) } catch { return _ = "\(error)" }
  let header = try LogHeader(text: recording.header.text)
  try require(header == recording.header, "\(recording.header) becomes \(header)")
  for line in recording.lines {
    let again = try LogLine(text: line.text, number: 1)
    try require(again == line, "\(line) becomes \(String(describing: again))")
  }
}

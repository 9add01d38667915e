import Foundation
import Motion
import Scene
import Staging
import TestVectors
import Testing

@testable import Recording

@Suite("A hostile recording")
struct HostileTests {
  private static let header =
    #"{"lectern":1,"title":"T","book":"b","recorded":1,"library":"#
    + #"[{"id":"c","books":[{"id":"b","pages":40,"width":362,"height":568,"progression":"ltr"}]}]}"#

  private func play(_ lines: [String], header: String = Self.header) throws {
    let data = Data(([header] + lines).joined(separator: "\n").utf8)
    _ = try? LogSummary(of: data)
    let transcript = try LogReader.transcript(of: data)
    #expect(transcript.length.isFinite && transcript.length >= 0)
    var playback = Playback(transcript, at: 5)
    for position in [0, 0.5, 3, transcript.length / 2, transcript.length, 1e300, -1e300] {
      playback.seek(to: position, at: 6)
      for placement in playback.frame(at: 6.25).placements {
        #expect(placement.transform.isFinite && placement.opacity.isFinite)
      }
      #expect(playback.position(at: 7).isFinite)
      _ = playback.stage.upcoming(at: playback.stageTime(at: 7))
      _ = playback.stage.way(at: playback.stageTime(at: 7))
      _ = (playback.stage.bookmarks, playback.stage.firstPage, playback.nextEvent)
    }
  }

  private static let numbers = [
    "0", "-1", "1e308", "-1e308", "1e-320", "9223372036854775807", "-9223372036854775808",
    "99999999999999999999999", "1e12", "4294967296", "0.5", "1e400", "null", "true", "\"1\"",
  ]

  @Test("is rejected or played, whatever numbers it contains")
  func anyNumbers() {
    var dice = SplitMix64(seed: 71)
    var played = 0
    for _ in 0..<4000 {
      func number(_ usual: String) -> String {
        dice.happens(0.25) ? Self.numbers.randomElement(using: &dice) ?? "0" : usual
      }
      let library =
        "[{\"id\":\"c\",\"books\":[{\"id\":\"b\",\"pages\":\(number("40")),\"width\":"
        + "\(number("362")),\"height\":\(number("568"))}]}]"
      var lines = [
        "{\"t\":\(number("1")),\"room\":\"R\",\"event\":\"opened\",\"places\":"
          + "[{\"book\":\"\(dice.happens(0.5) ? "b" : "x")\",\"spread\":\(number("3"))}]}"
      ]
      for step in 2..<8 {
        let time = number("\(step)")
        let body =
          [
            "\"input\":\"go\",\"book\":\"b\",\"open\":true,\"page\":\(number("7"))",
            "\"input\":\"jump\",\"page\":\(number("9"))",
            "\"input\":\"pan\",\"phase\":\"began\",\"x\":\(number("1")),\"y\":\(number("1"))",
            "\"input\":\"pan\",\"phase\":\"ended\",\"x\":\(number("1")),\"y\":\(number("1"))",
            "\"input\":\"pinch\",\"phase\":\"changed\",\"scale\":\(number("2")),\"x\":0,\"y\":0",
            "\"input\":\"wheel\",\"dx\":\(number("3")),\"dy\":\(number("3")),\"ctrl\":false",
            "\"input\":\"images\",\"ready\":[\(number("3"))]",
            "\"event\":\"library\",\"library\":\(library)",
            "\"event\":\"began\"", "\"event\":\"ended\"", "\"event\":\"frame\"",
          ].randomElement(using: &dice) ?? ""
        lines.append("{\"t\":\(time),\"room\":\"R\",\(body)}")
      }
      let header = Self.header.replacingOccurrences(
        of: "\"pages\":40",
        with: "\"pages\":\(number("40"))"
      )
      if (try? play(lines, header: header)) != nil { played += 1 }
    }
    #expect(played > 200)
  }

  @Test("is rejected if its times are beyond all clocks", arguments: ["1e300", "-1e300", "1e12"])
  func hugeTimes(time: String) {
    #expect(throws: RecordingError.self) {
      try play(["{\"t\":\(time),\"room\":\"R\",\"input\":\"key\",\"key\":\"Enter\"}"])
    }
  }

  @Test("can be sought equally fast if all its events have the same time")
  func simultaneousEvents() throws {
    let events = (0..<100_000).map { _ in
      Transcript.Event(time: 1, action: .input(.key(.arrowRight)))
    }
    let outline = LibraryOutline(collections: [])
    let transcript = Transcript(outline: outline, events: events, length: 5)
    #expect(Playback(transcript, at: 0).checkpointCount >= 100_000 / Playback.checkpointEvents)
  }
}

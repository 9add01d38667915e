import Motion
import Notices
import Scene
import Testing
import Wire

@Suite("Times of another clock")
struct TimeShiftTests {
  private func shifted(_ message: ServerMessage, by seconds: Double) throws -> ServerMessage {
    var bytes = [9, 9] + message.encoded() + [9]
    ServerMessage.shiftTimes(in: &bytes, 2..<bytes.count - 1, by: seconds)
    #expect(bytes.first == 9 && bytes.last == 9)
    return try bytes[2..<bytes.count - 1].withUnsafeBytes { try ServerMessage(decoding: $0) }
  }

  private func frame(_ time: Double) -> FrameUpdate {
    FrameUpdate(number: 5, time: time, screen: .book, isSettled: false, entries: [])
  }

  @Test("are shifted in every message that has any")
  func shifts() throws {
    let pairs: [(ServerMessage, ServerMessage)] = [
      (.snapshot(frame(10)), .snapshot(frame(12.5))), (.delta(frame(10)), .delta(frame(12.5))),
      (.clock(clientTime: 10, serverTime: 10), .clock(clientTime: 10, serverTime: 12.5)),
      (.batch([frame(10), frame(11)]), .batch([frame(12.5), frame(13.5)])),
      (
        .welcome(Welcome(room: "amber", memberID: 3, serverTime: 10, resume: "t", pass: "p")),
        .welcome(Welcome(room: "amber", memberID: 3, serverTime: 12.5, resume: "t", pass: "p"))
      ),
      (
        .cameras([10, 11].map { TimedCamera(time: $0, matrix: .identity) }),
        .cameras([12.5, 13.5].map { TimedCamera(time: $0, matrix: .identity) })
      ),
      (
        .playback(PlaybackEvent(isPlaying: true, time: 10, position: 3, length: 9, title: "T")),
        .playback(PlaybackEvent(isPlaying: true, time: 12.5, position: 3, length: 9, title: "T"))
      ),
    ]
    for (before, after) in pairs { #expect(try shifted(before, by: 2.5) == after) }
  }

  @Test("stay as they are in messages that have none, and in messages that end too early")
  func keeps() throws {
    let error = ServerMessage.error(code: 0, Notice(.recordingPlays))
    #expect(try shifted(error, by: 2.5) == error)
    #expect(try shifted(.playback(nil), by: 2.5) == .playback(nil))
    for first in UInt8.min ... .max {
      for count in 1...24 {
        var bytes = [first] + Array(repeating: UInt8(0xff), count: count - 1)
        ServerMessage.shiftTimes(in: &bytes, 0..<count, by: 1)
        #expect(bytes.count == count)
      }
    }
  }
}

import Notices
import Scene
import Staging
import Testing
import Wire

@testable import Rooms

extension Company {
  /// Returns the recorded events as one transcript.
  func recorded() throws -> Transcript {
    var recorder: CrowdRecorder?
    for effect in wants {
      switch effect {
      case .beginRecording(_, _, _, let outline, let time):
        recorder = CrowdRecorder(
          outline: outline,
          numbers: self.rooms.library.numbers,
          at: time
        )
      case .endRecording(_, let time):
        guard let transcript = try recorder?.end(at: time) else { break }
        return transcript
      default: try recorder?.note(effect)
      }
    }
    throw Violation("nothing was recorded")
  }

  /// Records two turns of a leaf and plays them.
  mutating func playTurns() throws {
    wants = []
    try say(.record(true), anna, pause: 1)
    for _ in 0..<2 { try say(.key(.arrowRight), anna, pause: 2) }
    try say(.record(false), anna, pause: 1)
    let transcript = try recorded()
    try play(transcript)
  }
}

@Suite("Recording a room and playing the recording in it")
struct RecordedRoomTests {
  @Test("a recording that starts in mid-turn gives the frames that were seen")
  func replay() throws {
    var company = try Company(.hostLeads, .follow)
    try company.drag(company.anna)
    try company.say(.record(true), company.anna, pause: 0.5)
    #expect(company.room?.recording.isRecorded == true)
    try company.finger(.up, 400, company.anna, pause: 1)
    for _ in 0..<3 { try company.say(.key(.arrowRight), company.anna, pause: 0.3) }
    try company.drag(company.anna)
    try company.finger(.up, 400, company.anna, pause: 2)
    let end = company.room?.stage
    try company.say(.record(false), company.anna)
    let transcript = try company.recorded()
    let playback = Playback(transcript, numbers: company.rooms.library.numbers, at: 0)
    #expect(transcript.length == company.now - transcript.beginning)
    #expect(
      playback.frame(at: transcript.length).placements == end?.frame(at: company.now).placements
    )
    #expect(company.room?.recording.isRecorded == false)
  }

  @Test("a recording is played to all members, and no member turns its pages")
  func playing() throws {
    var company = try Company(.hostLeads, .follow)
    let page = company.page ?? 0
    try company.playTurns()
    #expect(company.page == page)
    for id in [company.anna, company.ben] {
      #expect(company.playbacks(id).count == 1)
      #expect(!company.page(of: id).role.rights.contains(.mayTurn))
    }
    try company.say(.key(.arrowRight), company.anna, pause: 2.5)
    #expect(company.page == page + 2)
    try company.pass(5)
    #expect(company.page == page + 4)
    #expect(company.seeTheSame(company.anna, company.ben))
    #expect(company.page(of: company.ben).decoder.latest?.isSettled == true)
  }

  @Test("all members are informed once that a recording has ended, and it can be played again")
  func ending() throws {
    var company = try Company(.hostLeads, .follow)
    try company.playTurns()
    let length = company.playbacks(company.ben).last??.length ?? 0
    company.forget()
    try company.pass(length + 5)
    for id in [company.anna, company.ben] {
      let news = company.playbacks(id)
      #expect(news.count == 1)
      #expect(news.first??.isPlaying == false && news.first??.position == length)
    }
    company.forget()
    try company.say(.play(.play), company.anna)
    #expect(company.playbacks(company.ben).last??.isPlaying == true)
    #expect((company.playbacks(company.ben).last??.position ?? 1) < 0.1)
    try company.say(.play(.pause), company.anna)
    company.forget()
    try company.pass(length + 5)
    #expect(company.playbacks(company.ben).isEmpty)
  }

  @Test("a member that may not record learns why: a recording plays, or the server records all")
  func refused() throws {
    var company = try Company(.hostLeads, .follow)
    try company.playTurns()
    company.forget()
    try company.say(.record(true), company.anna)
    #expect(company.errors(company.anna).count == 1)
    #expect(company.room?.recording.isRecorded == false)
    var recorded = try Company()
    recorded.rooms = ServedRooms(openTo: .varied, notes: true)
    recorded.pages = [:]
    try recorded.come(recorded.anna)
    try recorded.say(.go(book: "0/4", opens: true, page: 20), recorded.anna, pause: 5)
    try recorded.say(.record(true), recorded.anna)
    #expect(recorded.errors(recorded.anna).first == Notice(.recordsAll))
    #expect(recorded.room?.recording.isRecorded == false)
  }

  @Test("a paused recording stands still, and after a seek it continues from the new time")
  func pausing() throws {
    var company = try Company(.hostLeads, .follow)
    let page = company.page ?? 0
    try company.playTurns()
    try company.pass(1.2)
    try company.say(.play(.pause), company.anna, pause: 0.1)
    company.forget()
    try company.pass(10)
    #expect(company.frameCount(of: company.ben) == 0)
    #expect(company.page(of: company.ben).decoder.latest?.isSettled == true)
    #expect(company.rooms.wakeTime == nil)
    try company.say(.play(.seek(5.5)), company.anna, pause: 1)
    #expect(company.page == page + 4 && company.seeTheSame(company.anna, company.ben))
    try company.say(.play(.seek(0)), company.anna, pause: 1)
    #expect(company.page == page && company.seeTheSame(company.anna, company.ben))
    try company.say(.play(.play), company.anna, pause: 3.5)
    #expect(company.page == page + 4 || company.page == page + 2)
    #expect(company.playbacks(company.ben).count == 3)
  }

  @Test("a member with a hidden page learns of a closed recording when the page is visible again")
  func closedUnseen() throws {
    var company = try Company(.hostLeads, .follow)
    try company.playTurns()
    try company.say(.visibility(isVisible: false), company.ben)
    try company.say(.play(.close), company.anna, pause: 1)
    company.forget()
    try company.say(.visibility(isVisible: true), company.ben)
    #expect(company.playbacks(company.ben) == [nil])
  }

  @Test("only the presenter or a host controls a recording")
  func rights() throws {
    var company = try Company(.hostLeads, .follow)
    try company.playTurns()
    company.forget()
    try company.say(.play(.pause), company.ben)
    #expect(company.room?.shared.playback?.isPlaying == true)
    #expect(company.errors(company.ben) == [Notice(.holdersOnly)])
  }

  @Test("a closed recording leaves the book at its last page, and the pages can be turned again")
  func closing() throws {
    var company = try Company(.hostLeads, .follow)
    let page = company.page ?? 0
    try company.playTurns()
    try company.pass(2.5)
    try company.say(.play(.close), company.anna, pause: 1)
    #expect(company.room?.shared.playback == nil)
    #expect(company.page == page + 2 && company.seeTheSame(company.anna, company.ben))
    #expect(company.playbacks(company.ben).last == .some(nil))
    try company.say(.key(.arrowRight), company.anna, pause: 2)
    #expect(company.page == page + 4 && company.seeTheSame(company.anna, company.ben))
  }
}

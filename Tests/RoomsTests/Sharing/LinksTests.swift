import Scene
import Testing
import Wire

@testable import Rooms

private let record = RoomRecord(
  name: "R",
  owner: .of("R"),
  settings: RoomSettings(),
  book: "0/0",
  collection: "0"
)

@Suite("The links and the code of a room")
struct LinksTests {
  private let turn = Turn(environment: .counted())

  @Test("a room that was never shared has no record, no code and the usual settings")
  func unshared() {
    var sharing = Sharing(nil)
    #expect(!sharing.isShared && sharing.code == nil && sharing.settings == RoomSettings())
    #expect(sharing.use(in: turn[at: 0]) == nil && !sharing.hasChanged())
    #expect(!sharing.isUseOld(in: turn[at: 1e9]))
  }

  @Test("each link gives its grant for thirty days, and new links replace all earlier ones")
  func links() {
    var sharing = Sharing(nil)
    sharing.begin(record)
    let links = sharing.renewLinks(in: turn[at: 100])
    func grant(_ secret: String, at now: Double = 101) -> Grant? {
      sharing.grant(of: secret, in: turn[at: now])
    }
    #expect(grant(links.follow) == .follow && grant(links.present) == .present)
    #expect(grant(links.host) == .host && grant("") == nil && grant("secret-0") == nil)
    #expect(grant(links.host, at: 100 + Sharing.linkSeconds + 1) == nil)
    let next = sharing.renewLinks(in: turn[at: 200])
    #expect(grant(links.host) == nil && grant(next.host) == .host)
  }

  @Test("a code is valid for fifteen minutes after each request, and then replaced")
  func code() throws {
    var sharing = Sharing(nil)
    sharing.begin(record)
    let links = sharing.renewLinks(in: turn[at: 100])
    let first = try #require(sharing.code)
    #expect(first.secret == links.follow && first.until == 100 + RoomCode.seconds)
    #expect(sharing.event(links, now: 400).codeSeconds == RoomCode.seconds - 300)
    sharing.renewCode(in: turn[at: 500])
    #expect(sharing.code?.letters == first.letters)
    #expect(sharing.code?.until == 500 + RoomCode.seconds)
    #expect(sharing.event(Sharing.Links(), now: 9999).codeSeconds == 0)
    sharing.renewCode(in: turn[at: 9999])
    #expect(sharing.code?.letters != first.letters && sharing.code?.secret == links.follow)
  }

  @Test(
    "a room that is opened again gets a code with its own secret, which admits its bearer"
  )
  func codeOfKeptRoom() throws {
    var sharing = Sharing(record)
    #expect(sharing.code == nil)
    sharing.renewCode(in: turn[at: 100])
    let secret = try #require(sharing.code?.secret)
    #expect(sharing.grant(of: secret, in: turn[at: 101]) == .follow)
  }

  @Test("the record is stored with the settings and the time of its use, at most once an hour")
  func keeping() {
    var sharing = Sharing(record)
    #expect(!sharing.hasChanged() && sharing.isUseOld(in: turn[at: 0]))
    sharing.decide(RoomSettings(policy: .passTheBook))
    let kept = sharing.use(in: turn[at: 100])
    #expect(kept?.settings.policy == .passTheBook)
    #expect(kept?.lastUsed == 100 + turn.environment.unixOffset)
    #expect(sharing.hasChanged() && !sharing.hasChanged())
    #expect(!sharing.isUseOld(in: turn[at: 100 + Sharing.useSeconds]))
    #expect(sharing.isUseOld(in: turn[at: 101 + Sharing.useSeconds]))
  }

  @Test("when sharing ends nothing opens the room, and its settings are the usual ones")
  func end() {
    var sharing = Sharing(record)
    sharing.decide(RoomSettings(policy: .passTheBook))
    let links = sharing.renewLinks(in: turn[at: 100])
    sharing.share("0/1", of: "0")
    #expect(sharing.record?.book == "0/1")
    sharing.end()
    #expect(!sharing.isShared && sharing.code == nil && sharing.settings == RoomSettings())
    #expect(sharing.grant(of: links.host, in: turn[at: 101]) == nil)
    let hasChanged = sharing.hasChanged()
    #expect(hasChanged)
  }
}

import Testing
import WebServer

@testable import Commands
@testable import Server

@Suite("Access to the library")
struct AccessTests {
  private let key = "the-key-of-the-library"
  private let token = "the-token-of-the-admin"

  private func access(_ change: (inout ReadingServer.Options) -> Void) -> Access {
    var options = ReadingServer.Options(library: "", web: "")
    change(&options)
    return options.access(key: options.keys.library ?? key)
  }

  /// Returns whether a request with these credentials may read, and whether it may write.
  private func rights(_ access: Access, _ authorization: String?) -> [Bool] {
    let fields = authorization.map { ["authorization": $0] } ?? [:]
    let request = HTTPRequest(path: "/", fields: fields)
    return [access.refusal(ofReading: request), access.refusal(ofWriting: request)].map {
      #expect($0 == nil || $0?.status == 401)
      return $0 == nil
    }
  }

  @Test("on this machine everybody may do everything")
  func loopback() {
    let access = access { _ in }
    #expect(rights(access, nil) == [true, true])
    #expect(access.library.admits("") && access.library.isKey(key) && !access.library.isKey("x"))
  }

  @Test("a login to a proxy permits nothing by itself: the server gives the reader its key")
  func login() {
    let access = access {
      $0.network.proxies = .loopback
      $0.network.userHeader = "remote-user"
      $0.keys.library = key
    }
    var request = HTTPRequest(path: "/")
    request.user = "anna"
    #expect(access.refusal(ofReading: request) != nil && access.refusal(ofWriting: request) != nil)
    #expect(access.loginKey == key)
    #expect(self.access { $0.network.proxies = .loopback }.loginKey == nil)
  }

  @Test(
    "elsewhere, and with a chosen key, the key is required",
    arguments: ["listen", "public", "proxy", "key"]
  )
  func key(why: String) {
    let access = access {
      switch why {
      case "listen": $0.network.listen = "0.0.0.0"
      case "public": $0.network.publicURL = "https://books.example"
      case "proxy": $0.network.proxies = .loopback
      default: $0.keys.library = key
      }
    }
    #expect(rights(access, nil) == [false, false])
    #expect(rights(access, "Bearer \(key)") == [true, true])
    for wrong in ["Bearer", "Bearer ", "Bearer \(key)x", key, "Basic \(key)"] {
      #expect(rights(access, wrong) == [false, false], "\(wrong)")
    }
    #expect(!access.library.admits("") && access.library.admits(key))
    for (shown, isRight) in [(key, true), ("", false), ("Bearer \(key)", false)] {
      let fields = ["lectern-key": shown, "authorization": "Basic YTpi"]
      let request = HTTPRequest(path: "/", fields: fields)
      #expect((access.refusal(ofReading: request) == nil) == isRight, "\(shown)")
    }
  }

  @Test("an open library is visible to all and changed with the key")
  func openLibrary() {
    let access = access {
      $0.network.listen = "0.0.0.0"
      $0.keys.opensLibrary = true
    }
    #expect(rights(access, nil) == [true, false])
    #expect(rights(access, "Bearer \(key)") == [true, true])
  }

  @Test("with an admin token only the token allows changes, and it also allows reading")
  func adminToken() {
    let elsewhere = access {
      $0.network.listen = "0.0.0.0"
      $0.keys.admin = token
    }
    #expect(rights(elsewhere, "Bearer \(key)") == [true, false])
    #expect(rights(elsewhere, "Bearer \(token)") == [true, true])
    #expect(!elsewhere.library.isKey(token))
    let here = access { $0.keys.admin = token }
    #expect(rights(here, nil) == [true, false])
    #expect(rights(here, "Bearer \(token)") == [true, true])
  }

  @Test(
    "a key is long enough and identical in an address and as typed",
    arguments: [
      ("0123456789abcdef", true), ("A-key_with.all~16", true), ("0123456789abcde", false),
      ("spaces are not fit", false), ("ümläute-sind-es-nicht", false),
      ("a/slash/is/not/fit", false),
      (String(repeating: "k", count: 64), true), (String(repeating: "k", count: 65), false),
    ]
  )
  func keyForm(key: String, isFit: Bool) {
    #expect(LibraryAccess.isFit(key) == isFit)
  }
}

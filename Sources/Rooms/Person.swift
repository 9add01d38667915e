internal import Fabric
internal import Scene
internal import Wire

/// Somebody in a room, also while the connection is lost and may come back.
struct Person: Sendable {
  /// How long a lost connection may come back as the same member, in seconds.
  static let resumeSeconds = 60.0

  let id: MemberID
  /// Who it is, in whatever window.
  let reader: ReaderID
  /// Where its connection comes from, in digits.
  var address: String
  /// What opens to it, by HTTP, the books that it sees.
  let pass: String
  /// Whether it has shown what the library asks for.
  let opensLibrary: Bool
  var name: String
  var colour: UInt8
  var grant: Grant
  /// The digest of what brings this member back.
  var resume: [UInt8] = []
  /// The digest of what brought it back last, until it says something: the welcome with the newer
  /// one may have been lost with its line.
  var usedResume: [UInt8] = []
  /// Until when a lost connection may come back; nil while there is one.
  var awayUntil: Double?
  var isRaised = false
  /// A host that has left the shared book and has not said whether the others shall come along.
  var isChoosing = false
  /// The number that what this member does has to carry.
  var roleNumber: UInt16 = 0
  /// What the member was last told that it is.
  var lastRole: RoleEvent?
  /// How the people were last told of it.
  var lastNews: PersonEvent?
  /// Until when it flies to where the others are; nil when it does not.
  var catchUpLimit: Double?
  /// How well it keeps time, and whether that is news.
  var sync: SyncEvent?
  var isSyncNew = false
  var pace = Pace()
  /// What others were last told of its finger; nil when there is nothing to be seen.
  var pointer: PointerEvent?
  var pointerBucket = TokenBucket(rate: 40, burst: 8)

  /// Whether there is a connection.
  var isHere: Bool { awayUntil == nil }
}

/// How people are called who do not say.
enum FriendlyName {
  private static let names = [
    "Otter", "Heron", "Badger", "Wren", "Hare", "Fox", "Owl", "Swift", "Marten", "Finch", "Seal",
    "Lynx", "Robin", "Mole", "Crane", "Beaver", "Lark", "Hedgehog", "Stoat", "Plover", "Newt",
    "Vole", "Kestrel", "Toad",
  ]

  /// The first name that nobody has; the ninth round of them is called "Otter 9".
  static func fresh(besides taken: Set<String>) -> String {
    for round in 1... {
      for name in names {
        let name = round == 1 ? name : "\(name) \(round)"
        if !taken.contains(name) { return name }
      }
    }
    return ""
  }

  /// The longest name, in characters.
  private static let charactersMax = 40

  /// A name as it is shown: one line, without what is not seen or turns the writing around.
  static func cleaned(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: continue
      // The joiner of emoji is the one invisible character that names are written with.
      case .format where scalar != "\u{200D}": continue
      default: text.unicodeScalars.append(scalar)
      }
    }
    let words = text.split(separator: " ").joined(separator: " ")
    return String(words.prefix(charactersMax))
  }
}

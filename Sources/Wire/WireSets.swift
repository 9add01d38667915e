// Sets whose items are separate properties elsewhere; an item's number on the wire is that of its
// bit.

/// The preferences of a client.
struct ClientSettings: OptionSet {
  let rawValue: UInt8

  static let reducesMotion = ClientSettings(rawValue: 1)
  static let reportsImages = ClientSettings(rawValue: 2)
  static let sharesStage = ClientSettings(rawValue: 4)
  static let known: ClientSettings = [.reducesMotion, .reportsImages, .sharesStage]
}

/// The settings of a room besides its policy.
struct RoomChoices: OptionSet {
  let rawValue: UInt8

  static let isLocked = RoomChoices(rawValue: 1)
  static let mayWander = RoomChoices(rawValue: 2)
  static let sharesShelf = RoomChoices(rawValue: 4)
  static let known: RoomChoices = [.isLocked, .mayWander, .sharesShelf]
}

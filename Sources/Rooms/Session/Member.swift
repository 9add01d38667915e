internal import Fabric
internal import Scene
internal import Wire

/// A member that looks at a stage, and what has been sent to it.
struct Member: Sendable {
  let id: MemberID
  /// How the member looks at the stage.
  var view: MemberView
  /// Nothing but errors goes to a hidden window.
  var isVisible = true

  /// The page says which images it has decoded.
  let reportsImages: Bool

  /// Whether the member prefers to see no motion.
  var reducesMotion: Bool { view.reducesMotion }

  init(id: MemberID, hello: Hello) {
    self.id = id
    view = MemberView(hello)
    reportsImages = hello.reportsImages
  }
}

internal import Fabric
internal import Scene
internal import Wire

/// A member that watches a stage, with its view and the state of its page.
struct Member: Sendable {
  let id: MemberID
  /// How the member looks at the stage.
  var view: MemberView
  /// What the page was last told about the framing of its window; nil if nothing.
  var sentFraming: FramingEvent?
  /// Whether the page is visible; a hidden page receives nothing but errors.
  var isVisible = true

  /// Whether the page reports which images it has decoded.
  let reportsImages: Bool

  /// Whether the member prefers reduced motion.
  var reducesMotion: Bool { view.reducesMotion }

  init(id: MemberID, hello: Hello) {
    self.id = id
    view = MemberView(hello)
    reportsImages = hello.reportsImages
  }
}

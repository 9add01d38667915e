internal import Scene
internal import Wire

/// A member that looks at a stage, and what has been sent to it.
struct Member: Sendable {
  let id: MemberID
  /// How the member looks at the stage.
  var view: MemberView
  /// Nothing but errors goes to a hidden window.
  var isVisible = true
  /// Missed a message: gets no deltas until it has caught up with a snapshot.
  var isBehind = false
  /// Missed an introduction: a snapshot alone would name what it does not know.
  var lacksElements = false
  /// The least time between two frames, in seconds, for one whose line takes no more; nil for all.
  var frameGap: Double?
  /// When such a one gets the next frame, and whether there is one that it has not seen.
  var nextFrameTime = -Double.infinity
  var owesFrame = false

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

internal import Geometry
internal import Scene
internal import Staging
internal import Wire

/// A connection that has said hello.
struct Member: Sendable {
  let id: MemberID
  var viewport: Viewport
  var reducesMotion: Bool
  var recognizer = Recognizer()
  /// Nothing but errors goes to a hidden window.
  var isVisible = true
  /// Missed a message: gets no deltas until it has caught up with a snapshot.
  var isBehind = false
  /// Missed an introduction: a snapshot alone would name what it does not know.
  var lacksElements = false
  /// A zoom gesture of the browser's own is under way.
  var isZooming = false

  var camera: Camera { Camera(viewport: viewport) }

  init(id: MemberID, hello: Hello) {
    self.id = id
    viewport = hello.viewport
    reducesMotion = hello.reducesMotion
  }
}

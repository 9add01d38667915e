internal import Fabric
internal import Geometry
internal import Scene
internal import Staging
internal import Wire

/// Somebody who looks at a reading, and what has been sent there.
struct Member: Sendable {
  let id: MemberID
  var viewport: Viewport
  var reducesMotion: Bool
  var recognizer = Recognizer()
  /// Nothing but errors goes to a hidden window.
  var isVisible = true
  /// A zoom gesture of the browser's own is under way.
  var isZooming = false
  /// Where its first finger is, in CSS pixels; nil when none is down.
  var finger: Point?

  /// What the member looks through.
  var zoomView = ZoomView()
  /// Whom the gesture under way belongs to.
  var route = GestureTarget.nobody
  /// The time of the last camera that was sent ahead; nil when none is in flight.
  var flownCameraTime: Double?
  /// The last tap, in CSS pixels, and when it was; nil when none waits for its second.
  var lastTap: (place: Point, time: Double)?
  /// What its wheel has said towards the next leaf or book.
  var wheel = WheelRecognizer()
  /// When a wheel last moved the lens.
  var zoomWheelTime = -Double.infinity

  /// The page says which images it has decoded.
  let reportsImages: Bool
  /// The pages whose images are decoded.
  var ready: Set<ElementKey> = []

  /// The window without the lens: pointers are heard in its points.
  var window: Camera { Camera(viewport: viewport) }

  /// What the window shows once the lens has come to rest.
  var camera: Camera { Camera(viewport: viewport, view: zoomView.goal) }

  init(id: MemberID, hello: Hello) {
    self.id = id
    viewport = hello.viewport
    reducesMotion = hello.reducesMotion
    reportsImages = hello.reportsImages
  }
}

/// Whom the fingers of a member move.
enum GestureTarget: Equatable, Sendable {
  /// There is no gesture.
  case nobody
  /// The stage that all share.
  case stage
  /// The member's own lens.
  case zoomView
  /// Two fingers over a flat book: apart they zoom, together they stand it up.
  case undecided(scale: Double)
}

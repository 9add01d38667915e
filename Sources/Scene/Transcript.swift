/// A reading that was recorded, of one room: what happened in it, and when.
///
/// Times are seconds of the clock that ran then, unrounded, so that a stage that is given the
/// events at their times is, to the last bit, where it was. Events before ``beginning`` set the
/// scene.
public struct Transcript: Equatable, Sendable {
  /// Something that happened.
  public struct Event: Equatable, Sendable {
    /// What happened.
    public enum Action: Equatable, Sendable {
      /// The room was made, its books where they were left; of another library than the
      /// transcript's, if one is given.
      case open([BookPlace], LibraryOutline?)
      /// The room's library was exchanged.
      case library(LibraryOutline)
      /// A person did something.
      case input(Input)
    }

    /// When, in seconds of the recorded clock.
    public var time: Double
    /// What happened.
    public var action: Action

    /// Creates an event.
    public init(time: Double, action: Action) {
      self.time = time
      self.action = action
    }
  }

  /// What the recording is called; empty if nobody named it.
  public var title: String
  /// The id of the book that was read; empty if that is not known.
  public var book: String
  /// The shapes of the library at the beginning.
  public var outline: LibraryOutline
  /// What happened, in the order of time.
  public var events: [Event]
  /// From the beginning to the end, in seconds.
  public var length: Double
  /// The instant of the recorded clock at which the recording begins.
  public var beginning: Double

  /// Creates a transcript.
  /// - Parameters:
  ///   - title: What it is called.
  ///   - book: The id of the book that was read.
  ///   - outline: The shapes of the library at the beginning.
  ///   - events: What happened; times never go back.
  ///   - length: From the beginning to the end, in seconds; less than 0 counts as 0.
  ///   - beginning: The instant of the events' clock at which it begins.
  public init(
    title: String = "",
    book: String = "",
    outline: LibraryOutline,
    events: [Event],
    length: Double,
    beginning: Double = 0
  ) {
    self.title = title
    self.book = book
    self.outline = outline
    self.events = events
    self.length = max(0, length)
    self.beginning = beginning
  }

  /// When an event happened, in seconds from the beginning; negative if it set the scene.
  public func position(of event: Event) -> Double { event.time - beginning }
}

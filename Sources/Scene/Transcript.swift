/// The recorded events of one room, with their times.
///
/// Times are unrounded seconds of the recorded clock, so that a stage to which the events are
/// applied at their times has the recorded state bit for bit. Events before ``beginning`` restore
/// the initial state.
public struct Transcript: Equatable, Sendable {
  /// One event and its time.
  public struct Event: Equatable, Sendable {
    /// What happens at an event.
    public enum Action: Equatable, Sendable {
      /// The room was created, with the bookmarks of its owner, and with a library if it differs
      /// from that of the transcript.
      case open([Bookmark], LibraryOutline?)
      /// The room's library was replaced.
      case library(LibraryOutline)
      /// An input of a member.
      case input(Input)
    }

    /// The time, in seconds of the recorded clock.
    public var time: Double
    /// The action.
    public var action: Action

    /// Creates an event.
    public init(time: Double, action: Action) { (self.time, self.action) = (time, action) }
  }

  /// The title; empty if there is none.
  public var title: String
  /// The id of the book; empty if unknown.
  public var book: String
  /// The outline of the library at the beginning.
  public var outline: LibraryOutline
  /// How fingers turned leaves.
  public var dragRule: DragRule
  /// The events, ordered by time.
  public var events: [Event]
  /// The length in seconds.
  public var length: Double
  /// The time of the recorded clock at which the recording begins.
  public var beginning: Double

  /// Creates a transcript.
  /// - Parameters:
  ///   - title: The title.
  ///   - book: The id of the book.
  ///   - outline: The outline of the library at the beginning.
  ///   - dragRule: How fingers turned leaves.
  ///   - events: The events, whose times never decrease.
  ///   - length: The length in seconds; a negative length counts as 0.
  ///   - beginning: The time of the events' clock at which the recording begins.
  public init(
    title: String = "",
    book: String = "",
    outline: LibraryOutline,
    dragRule: DragRule = .covers,
    events: [Event],
    length: Double,
    beginning: Double = 0
  ) {
    (self.title, self.book, self.outline, self.dragRule) = (title, book, outline, dragRule)
    self.events = events
    self.length = max(0, length)
    self.beginning = beginning
  }

  /// Returns the position of an event, in seconds from the beginning; negative before the
  /// beginning.
  public func position(of event: Event) -> Double { event.time - beginning }
}

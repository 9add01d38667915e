/// Whether a room is recorded, and which recording it plays.
struct RecordingState: Sendable {
  /// Whether everything in the room is recorded anyway, so that members cannot record it.
  let notesAll: Bool
  /// Whether members record the room.
  private(set) var isRecorded = false
  /// The title of the recording that was played last.
  private(set) var title = ""
  /// Whether a recording was ever played in the room.
  private(set) var hasPlayed = false
  /// Whether the members were last told that a recording is playing.
  var announcedPlaying = false

  /// Creates the state of a room that is not recorded by its members.
  init(notesAll: Bool) { self.notesAll = notesAll }

  /// Begins or ends a recording by the members.
  mutating func record(_ isOn: Bool) { isRecorded = isOn }

  /// Stores the title of a recording that is played.
  mutating func play(_ title: String) { (self.title, hasPlayed) = (title, true) }

  /// Whether the shared session records what happens.
  var notes: Bool { isRecorded || notesAll }
}

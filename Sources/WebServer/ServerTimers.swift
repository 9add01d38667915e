/// The timers of a server, each of which makes a descriptor readable.
struct ServerTimers {
  /// The timer of the application.
  let tick = TickTimer()
  /// The timer of the server's own periodic work.
  let housekeeping = TickTimer()
  /// The timer of the next check of ``silences``.
  let silence = TickTimer()
  /// The checks of silent WebSockets.
  var silences: SilenceWheel

  /// Creates timers for checks at most a number of seconds ahead.
  init(silenceSeconds: Double) { silences = SilenceWheel(seconds: silenceSeconds) }

  /// All timers.
  var all: [TickTimer] { [tick, housekeeping, silence] }
}

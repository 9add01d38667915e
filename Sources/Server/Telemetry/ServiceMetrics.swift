internal import Rooms
internal import Telemetry

/// The metrics of a server, apart from those of its connections.
struct ServiceMetrics: Sendable {
  /// The registry that prints all metrics of the process.
  let registry: MetricRegistry
  let messages: MessageMetrics
  let rooms: HostMetrics
  let site: SiteMetrics

  /// Registers all metrics; call this once for each registry.
  init(in registry: MetricRegistry) {
    self.registry = registry
    messages = MessageMetrics(in: registry)
    rooms = HostMetrics(in: registry)
    site = SiteMetrics(in: registry)
  }
}

/// The metrics of rooms and their members.
struct HostMetrics: Sendable {
  /// The quantiles of the sizes of rooms that are reported.
  private static let quantiles = [0.5, 0.9, 1]

  private let active: Gauge
  private let idle: Gauge
  private let members: Gauge
  private let sizes: [Gauge]
  private let lagging: Gauge
  private let playoutDelay: Gauge
  private let presenterAbsent: Gauge
  private let stale: Counter
  let dropped: Counter
  private let roleChanges: CounterSet<RoleChange>

  init(in registry: MetricRegistry) {
    let rooms = "Rooms with members, and rooms without."
    active = registry.gauge("lectern_rooms", help: rooms, labels: ["state": "active"])
    idle = registry.gauge("lectern_rooms", help: rooms, labels: ["state": "idle"])
    members = registry.gauge("lectern_members", help: "Members of all rooms.")
    sizes = Self.quantiles.map { fraction in
      registry.gauge(
        "lectern_room_members",
        help: "Members of a room, of the rooms that have some.",
        labels: ["quantile": fraction == 1 ? "1" : "\(fraction)"]
      )
    }
    lagging = registry.gauge(
      "lectern_lagging_clients",
      help: "Members that are late by more than the longest delay."
    )
    playoutDelay = registry.gauge(
      "lectern_playout_delay_seconds",
      help: "The longest delay of all rooms."
    )
    presenterAbsent = registry.gauge(
      "lectern_presenter_absent_rooms",
      help: "Rooms whose presenter has lost the connection."
    )
    let inputs = "Inputs that no stage applied."
    let name = "lectern_inputs_rejected_total"
    stale = registry.counter(name, help: inputs, labels: ["reason": "stale"])
    dropped = registry.counter(name, help: inputs, labels: ["reason": "rate"])
    roleChanges = registry.counters(
      "lectern_role_changes_total",
      help: "Changes of presenter.",
      label: "kind",
      of: RoleChange.self
    )
  }

  /// Stores the current figures of the rooms.
  func note(_ figures: HostFigures) {
    active.set(Double(figures.active))
    idle.set(Double(figures.idle))
    members.set(Double(figures.members))
    for (fraction, size) in zip(Self.quantiles, sizes) {
      let place = Int((fraction * Double(figures.sizes.count)).rounded(.up)) - 1
      size.set(Double(figures.sizes.indices.contains(place) ? figures.sizes[place] : 0))
    }
    lagging.set(Double(figures.lagging))
    playoutDelay.set(figures.longestDelay)
    presenterAbsent.set(Double(figures.presenterAbsent))
    stale.raise(to: UInt64(clamping: figures.staleInputs))
    for (change, count) in figures.roleChanges {
      roleChanges[change].raise(to: UInt64(clamping: count))
    }
  }
}

/// The metrics of the library and of HTTP requests to it.
struct SiteMetrics: Sendable {
  let wrongKeys: Counter
  let books: Gauge
  let pagesAwaited: Gauge
  let store: StoreMetrics

  init(in registry: MetricRegistry) {
    wrongKeys = registry.counter(
      "lectern_wrong_keys_total",
      help: "Keys and tokens over HTTP that opened nothing."
    )
    books = registry.gauge("lectern_books", help: "Books in the library.")
    pagesAwaited = registry.gauge(
      "lectern_pages_awaited",
      help: "Requests for pages that are not printed yet."
    )
    store = StoreMetrics(in: registry)
  }
}

import Foundation
import SharedStore
import Telemetry
import Testing

@testable import Commands
@testable import Rooms
@testable import Server

@Suite("Metrics of a server", .timeLimit(.minutes(10)))
struct MetricNamesTests {
  /// The names that dashboards and alerts use: removing a name from this list breaks them.
  private static let names = """
    lectern_books gauge
    lectern_build_info gauge
    lectern_client_lateness_seconds histogram
    lectern_client_sync_error_seconds histogram
    lectern_cluster_connected gauge
    lectern_cluster_nodes gauge
    lectern_connections gauge
    lectern_connections_accepted_total counter
    lectern_connections_displaced_total counter
    lectern_connections_limit_total counter
    lectern_disconnects_total counter
    lectern_fabric_dropped_total counter
    lectern_fabric_messages_total counter
    lectern_fanout_duration_seconds histogram
    lectern_fenced_total counter
    lectern_frames_sent_total counter
    lectern_frames_skipped_total counter
    lectern_handshakes_rejected_total counter
    lectern_input_to_frame_seconds histogram
    lectern_inputs_rejected_total counter
    lectern_lagging_clients gauge
    lectern_lease_frozen_total counter
    lectern_lease_lost_total counter
    lectern_leases_owned gauge
    lectern_log_lines_dropped_total counter
    lectern_members gauge
    lectern_messages_oversized_total counter
    lectern_messages_received_total counter
    lectern_news_sent_total counter
    lectern_pages_awaited gauge
    lectern_playout_delay_seconds gauge
    lectern_presenter_absent_rooms gauge
    lectern_relay_delay_seconds histogram
    lectern_requests_refused_total counter
    lectern_resumes_total counter
    lectern_role_changes_total counter
    lectern_room_members gauge
    lectern_room_owner gauge
    lectern_rooms gauge
    lectern_rtt_seconds histogram
    lectern_sent_bytes_total counter
    lectern_store_failures_total counter
    lectern_store_fetched_total counter
    lectern_store_published_total counter
    lectern_store_unreachable gauge
    lectern_store_waiting gauge
    lectern_websockets_opened_total counter
    lectern_wrong_keys_total counter
    process_cpu_seconds_total counter
    process_resident_memory_bytes gauge
    process_start_time_seconds gauge
    """

  @Test("all names exist from the start, each with a type and a help text")
  func names() throws {
    let server = try ServingThread(SampleFolder())
    let text = try server.ask("/metrics", isForAdmin: true).body
    let types = text.matches(of: /# TYPE (.+)/).map { String($0.output.1) }
    #expect(types.sorted().joined(separator: "\n") == Self.names)
    #expect(text.matches(of: /# HELP \S+ \S/).count == types.count)
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      #expect(
        line.wholeMatch(of: /[a-z_]+({[a-z]+="[^"]*"(,[a-z]+="[^"]*")*})? [-+0-9.e]+/) != nil,
        "\(line)"
      )
    }
  }

  @Test("labels are the same from the start")
  func labels() {
    let registry = MetricRegistry()
    _ = ServiceMetrics(in: registry)
    let text = registry.text
    for series in [
      #"lectern_frames_sent_total{type="snapshot"}"#, #"lectern_frames_sent_total{type="delta"}"#,
      #"lectern_frames_sent_total{type="batch"}"#, #"lectern_news_sent_total{type="welcome"}"#,
      #"lectern_frames_skipped_total{reason="choked"}"#, #"lectern_resumes_total{result="kept"}"#,
      #"lectern_inputs_rejected_total{reason="stale"}"#, #"lectern_rooms{state="idle"}"#,
      #"lectern_inputs_rejected_total{reason="rate"}"#, #"lectern_room_members{quantile="0.5"}"#,
      #"lectern_role_changes_total{kind="begun"}"#, #"lectern_room_members{quantile="1"}"#,
      #"lectern_rtt_seconds_bucket{le="0.0167"}"#,
    ] {
      #expect(text.contains(series + " 0\n"), "\(series)")
    }
  }

  @Test("the counts of rooms become metrics")
  func rooms() {
    let registry = MetricRegistry()
    let metrics = ServiceMetrics(in: registry)
    var figures = HostFigures()
    (figures.active, figures.idle, figures.members) = (2, 1, 9)
    figures.sizes = [2, 7]
    figures.longestDelay = 0.0525
    figures.roleChanges = [.passed: 4]
    figures.staleInputs = 3
    metrics.rooms.note(figures)
    metrics.rooms.note(figures)
    let lines = Set(registry.text.split(separator: "\n"))
    #expect(
      lines.isSuperset(of: [
        #"lectern_rooms{state="active"} 2"#, "lectern_members 9",
        #"lectern_room_members{quantile="0.5"} 2"#, #"lectern_room_members{quantile="0.9"} 7"#,
        "lectern_playout_delay_seconds 0.0525", #"lectern_role_changes_total{kind="passed"} 4"#,
        #"lectern_inputs_rejected_total{reason="stale"} 3"#,
      ])
    )
  }

  @Test("what is exchanged with a shared store is counted, and what waits is shown")
  func store() throws {
    let folder = try SampleFolder()
    let place = folder.root.appendingPathComponent("store").path
    func serve() throws -> ServingThread {
      try ServingThread(folder, data: folder.root.path + "/data") { options in
        options.storage.store = .folder(place)
      }
    }
    // The first start with a store needs it.
    #expect(throws: StartError.self) { try serve() }
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    let first = try serve()
    first.stop()
    #expect(first.ends(within: 20))
    // From now on, the folder of the store is missing, as one that is not mounted.
    try FileManager.default.removeItem(atPath: place)
    try folder.add(pages: 2, to: "Shelf 0/Late")
    let server = try serve()
    try server.wait { text in
      text.contains("lectern_store_unreachable 1\n") && !text.contains("lectern_store_waiting 0\n")
    }
    let text = try server.ask("/metrics", isForAdmin: true).body
    #expect(text.contains("lectern_store_published_total 0\n"))
    #expect(!text.contains("lectern_store_failures_total 0\n"))
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    try server.wait { text in
      text.contains("lectern_store_unreachable 0\n") && text.contains("lectern_store_waiting 0\n")
    }
    let after = try server.ask("/metrics", isForAdmin: true).body
    #expect(!after.contains("lectern_store_published_total 0\n"))
  }

  @Test("messages are counted by their kind, and no measurement of a page does harm")
  func messages() {
    let registry = MetricRegistry()
    let metrics = ServiceMetrics(in: registry).messages
    for bytes in [[0x81, 1, 2], [0x83], [0x00, 1], []] as [[UInt8]] {
      bytes.withUnsafeBytes { metrics.note($0[...], sent: 1, refused: 0) }
    }
    metrics.noteAck(lateness: .nan, syncError: -0.3, roundTrip: .infinity)
    let lines = Set(registry.text.split(separator: "\n"))
    #expect(
      lines.isSuperset(of: [
        #"lectern_news_sent_total{type="welcome"} 1"#,
        #"lectern_frames_sent_total{type="snapshot"} 1"#, "lectern_sent_bytes_total 6",
        #"lectern_client_sync_error_seconds_bucket{le="0.5"} 1"#,
        "lectern_client_lateness_seconds_sum 0", "lectern_rtt_seconds_count 1",
      ])
    )
    #expect(metrics.messagesSent == 2)
  }
}

extension ServingThread {
  /// Waits until something is true of the metrics.
  fileprivate func wait(until isTrue: (String) -> Bool) throws {
    let end = Date().addingTimeInterval(30)
    while true {
      let text = try ask("/metrics", isForAdmin: true).body
      if isTrue(text) { return }
      try #require(Date() < end, "\(text)")
    }
  }
}

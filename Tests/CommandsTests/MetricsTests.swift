import Testing

@testable import Commands

@Suite struct `What is measured` {
  private func lines(_ metrics: Metrics) -> Set<Substring> {
    Set(metrics.text.split(separator: "\n"))
  }

  @Test func `is all named, typed and explained, and starts at nothing`() {
    let metrics = Metrics()
    let all = lines(metrics)
    #expect(all.contains("lectern_connections_accepted_total 0"))
    #expect(all.contains("lectern_lagging_clients 0"))
    #expect(all.contains("# TYPE lectern_frames_skipped_total counter"))
    #expect(all.contains("# TYPE lectern_rooms gauge"))
    #expect(all.contains(#"lectern_rtt_seconds_bucket{le="+Inf"} 0"#))
    for line in all where !line.hasPrefix("#") {
      #expect(
        line.wholeMatch(of: /lectern_[a-z_]+({[a-z]+="[^"]*"})? [-+0-9.e]+/) != nil,
        "\(line)"
      )
    }
    let names = metrics.text.matches(of: /# TYPE (\S+)/).map(\.output.1)
    #expect(Set(names).count == names.count)
  }

  @Test func `is counted by label, and what is counted elsewhere is taken over`() {
    var metrics = Metrics()
    metrics.count(.framesSkipped, "choked")
    metrics.count(.framesSkipped, "choked", by: 4)
    metrics.count(.framesSkipped, "hidden")
    metrics.count(.bytesSent, by: 300)
    metrics.set(.disconnects, "4005", to: 7)
    metrics.set(.disconnects, "4005", to: 8)
    metrics.set(.rooms, "active", to: 2)
    metrics.set(.playoutDelay, to: 0.0525)
    #expect(
      lines(metrics).isSuperset(of: [
        #"lectern_frames_skipped_total{reason="choked"} 5"#,
        #"lectern_frames_skipped_total{reason="hidden"} 1"#, "lectern_sent_bytes_total 300",
        #"lectern_disconnects_total{code="4005"} 8"#, #"lectern_rooms{state="active"} 2"#,
        "lectern_playout_delay_seconds 0.0525",
      ])
    )
  }

  @Test func `is put into buckets that hold all below their bound`() {
    var metrics = Metrics()
    for value in [0.001, 0.0011, 0.2, 99] { metrics.observe(.clientLateness, value) }
    #expect(
      lines(metrics).isSuperset(of: [
        #"lectern_client_lateness_seconds_bucket{le="0.0005"} 0"#,
        #"lectern_client_lateness_seconds_bucket{le="0.001"} 1"#,
        #"lectern_client_lateness_seconds_bucket{le="0.002"} 2"#,
        #"lectern_client_lateness_seconds_bucket{le="0.25"} 3"#,
        #"lectern_client_lateness_seconds_bucket{le="10"} 3"#,
        #"lectern_client_lateness_seconds_bucket{le="+Inf"} 4"#,
        "lectern_client_lateness_seconds_count 4",
      ])
    )
  }

  @Test func `keeps its form whatever a label says`() {
    var metrics = Metrics()
    metrics.count(.roleChanges, "a\"b\\c\nd")
    #expect(lines(metrics).contains(#"lectern_role_changes_total{kind="a\"b\\c\nd"} 1"#))
  }

  @Test func `is counted whatever number comes`() {
    var latency = LatencyHistogram()
    var metrics = Metrics()
    let strange = [Double.nan, .infinity, -.infinity, -1, 0, 1e300, .leastNonzeroMagnitude]
    for value in strange {
      latency.add(value)
      metrics.observe(.roundTrip, value)
    }
    #expect(latency.count == UInt64(strange.count))
    #expect(latency.quantile(1).isFinite)
    #expect(lines(metrics).contains("lectern_rtt_seconds_count \(strange.count)"))
  }
}

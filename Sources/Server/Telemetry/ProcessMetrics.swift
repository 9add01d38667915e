internal import Foundation
internal import Glibc
internal import Telemetry
internal import WebServer
internal import Wire

/// The standard metrics of a process under their usual names, and the versions in this build.
enum ProcessMetrics {
  static func register(in registry: MetricRegistry, of writer: LogWriter) {
    registry.sampled(
      "lectern_build_info",
      help: "What this program was made of.",
      labels: ["wire": "\(WireVersion.current)", "libwebsockets": WebServer.libraryVersion]
    ) { 1 }
    registry.sampled(
      "lectern_log_lines_dropped_total",
      help: "Lines of the log that were dropped because too many waited.",
      isCounter: true
    ) { [weak writer] in Double(writer?.droppedCount ?? 0) }
    registry.sampled(
      "process_cpu_seconds_total",
      help: "Time on the processor, of the user and of the system.",
      isCounter: true
    ) { processorSeconds }
    registry.sampled(
      "process_resident_memory_bytes",
      help: "Memory that is in use."
    ) { Double(residentBytes) }
    let start = startTime
    registry.sampled(
      "process_start_time_seconds",
      help: "When the process started, in Unix seconds."
    ) { start }
  }

  private static var processorSeconds: Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
    }
  }

  private static var startTime: Double {
    Date().timeIntervalSince1970 - ProcessInfo.processInfo.systemUptime + startSeconds
  }

  /// The start of this process, in seconds since the machine booted.
  private static var startSeconds: Double {
    let text = (try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8)) ?? ""
    // The name in the second field may contain anything, so the fields are counted from the last
    // bracket.
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 19, let ticks = Double(fields[19]) else { return 0 }
    return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  private static var residentBytes: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}

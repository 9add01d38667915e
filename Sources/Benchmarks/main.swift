internal import CLoad
internal import Foundation

// Prints the figures that need no browser: the targets and the measurements on this machine.
//
// It fails only if something cannot be measured at all. With "serving FILE", "library FOLDER" or
// "floor BYTES HZ" it is the server that some figures measure. Otherwise its first word names the
// figures to print; without one it prints those of frames and of serving:
//
//   floods [KIND]                  what a flood of each kind, or of one kind, does to others
//   fanout [MEMBERS...] [threads N...]
//                                  what driven and flown frames cost beside a bare loop, of rooms
//                                  with so many members and servers with so many threads
//   members [SECONDS [COUNT...]]   members at rest that probe the clock each so many seconds, and
//                                  many that join at once
//   downloads                      frames beside downloads of large pictures
//   idle                           what rooms and members at rest occupy, and what joins cost
//   threads                        what a second service thread adds
//   paper                          a bent leaf
//   messages                       messages of a presenter's finger that turns bent leaves
let words = Array(CommandLine.arguments.dropFirst())
let values = Array(words.dropFirst())

/// Runs as a server, if the words ask for one.
func serve() throws {
  switch (words.first, values.count) {
  case ("serving", 1): try FileServer.run(path: values[0])
  case ("library", 1...):
    try FloodLibrary.serve(
      values[0],
      web: values.dropFirst().first ?? "",
      threads: values.dropFirst(2).first.flatMap { Int($0) } ?? 1
    )
  case ("floor", 2): exit(load_floor(Int(values[0]) ?? 1, Double(values[1]) ?? 1))
  default: return
  }
  exit(0)
}

/// Prints the figures that the words ask for.
func report() throws {
  print("| figure | target | measured |")
  print("| --- | --- | --- |")
  switch words.first {
  case "floods": try FloodFigures.report(only: values.first)
  case "fanout":
    let parts = values.split(separator: "threads", omittingEmptySubsequences: false)
      .map { $0.compactMap { Int($0) } }
    try FanOutFigures.report(
      members: parts.first.flatMap { $0.isEmpty ? nil : $0 } ?? [10, 50, 200, 500, 1000],
      threads: parts.count > 1 ? parts[1] : [1]
    )
  case "members":
    let interval = values.first.flatMap { Double($0) } ?? MemberFigures.interval
    let counts = values.dropFirst().compactMap { Int($0) }
    try MemberFigures.report(
      probeEvery: interval,
      members: counts.isEmpty ? MemberFigures.counts : counts
    )
  case "downloads": try DownloadFigures.report()
  case "idle": try IdleFigures.report()
  case "threads": try ThreadFigures.report()
  case "paper": BentFrame.report()
  case "messages": FrameBytes.report(flips: 100)
  case nil:
    FrameCost.report()
    FrameBytes.report()
    OpeningCost.report()
    TelemetryCost.report()
    try ServerFigures.report()
    try ServingFigures.report()
  case let word?: throw BenchmarkError("there are no figures \"\(word)\"", EINVAL)
  }
}

do {
  try serve()
  try report()
} catch {
  FileHandle.standardError.write(Data("Benchmarks: \(error)\n".utf8))
  exit(1)
}

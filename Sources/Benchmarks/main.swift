internal import CLoad
internal import Foundation

// Prints the figures that need no browser: the targets and the measurements on this machine.
//
// It fails only if something cannot be measured at all. With "serving FILE" or "library FOLDER" it
// is the server that some figures measure; with "floods" it prints the figures of all floods, and
// with "floods KIND" those of one kind; with "paper" it prints those of a bent leaf. With "fanout",
// "members [SECONDS [COUNT...]]" or "downloads" it prints what many members, members at rest that
// probe the clock each so many seconds, or downloads cost.
do {
  if CommandLine.arguments.dropFirst().first == "serving", CommandLine.arguments.count == 3 {
    try FileServer.run(path: CommandLine.arguments[2])
    exit(0)
  }
  if CommandLine.arguments.dropFirst().first == "library", CommandLine.arguments.count >= 3 {
    try FloodLibrary.serve(
      CommandLine.arguments[2],
      web: CommandLine.arguments.dropFirst(3).first ?? ""
    )
    exit(0)
  }
  if CommandLine.arguments.dropFirst().first == "floor", CommandLine.arguments.count == 4 {
    let (size, hz) = (Int(CommandLine.arguments[2]) ?? 1, Double(CommandLine.arguments[3]) ?? 1)
    exit(load_floor(size, hz))
  }
  print("| figure | target | measured |")
  print("| --- | --- | --- |")
  if CommandLine.arguments.dropFirst().first == "floods" {
    try FloodFigures.report(only: CommandLine.arguments.dropFirst(2).first)
    exit(0)
  }
  if CommandLine.arguments.dropFirst().first == "fanout" {
    let counts = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
    try counts.isEmpty ? FanOutFigures.report() : FanOutFigures.report(members: counts)
    exit(0)
  }
  if CommandLine.arguments.dropFirst().first == "members" {
    let interval = CommandLine.arguments.dropFirst(2).first.flatMap { Double($0) }
    let counts = CommandLine.arguments.dropFirst(3).compactMap { Int($0) }
    try MemberFigures.report(
      probeEvery: interval ?? MemberFigures.interval,
      members: counts.isEmpty ? MemberFigures.counts : counts
    )
    exit(0)
  }
  if CommandLine.arguments.dropFirst().first == "downloads" {
    try DownloadFigures.report()
    exit(0)
  }
  if CommandLine.arguments.dropFirst().first == "paper" {
    BentFrame.report()
    exit(0)
  }
  FrameCost.report()
  FrameBytes.report()
  OpeningCost.report()
  TelemetryCost.report()
  try ServerFigures.report()
  try ServingFigures.report()
} catch {
  FileHandle.standardError.write(Data("Benchmarks: \(error)\n".utf8))
  exit(1)
}

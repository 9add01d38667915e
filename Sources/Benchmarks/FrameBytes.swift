/// Measures the size of the messages that a presenter's finger causes.
enum FrameBytes {
  static func report(flips: Int = 8) {
    let presenter = Presenter(Books.catalogue(pages: 100), leftAt: 24)
    presenter.enterShelf()
    presenter.openBook()
    presenter.forget()
    for _ in 0..<flips { presenter.flip() }
    let (sizes, faces, costs) = (presenter.sizes, presenter.faces, presenter.costs)
    guard !sizes.isEmpty else { return Table.row("bytes per driven frame", "none was sent") }
    Table.row(
      "bytes per driven frame in mid-flip, \(faces.median) faces moving",
      asked: "<= 150",
      "\(sizes.median) (least \(sizes.min() ?? 0), most \(sizes.max() ?? 0), of \(sizes.count))"
    )
    Table.row(
      "a pointer message, the whole way from gateway to gateway",
      asked: "<= 3000 ns",
      "\(Table.number(costs.median, 0)) ns"
    )
  }
}

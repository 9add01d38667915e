internal import PressProtocol

/// Lays out a book, part by part, and binds its pages.
final class Typesetter {
  private let publication: Publication
  private let sheet: PageSheet
  private let engine: Engine
  private let binder: Binder
  private let limits: PressLimits
  private var contents: [EPUBPackage.ContentsEntry]
  /// Whether the contents are the headings of the book, which has no table of contents.
  private var usesHeadings = false
  /// The ids in each file to which links or the table of contents lead.
  private var wanted: [String: Set<String>] = [:]
  private var patterns: [String: Hyphenation?] = [:]
  /// The style sheets that were requested, by their names.
  private var sheets: [String: Publication.Resource] = [:]
  /// The text that is being laid out, which the engine requests by its name.
  private var current: (name: String, bytes: [UInt8])?
  private var heads = PageSheet.Heads()
  /// The titles of files in the table of contents; of several entries, the first.
  private let titles: [String: String]

  private var package: EPUBPackage { publication.package }
  private var isMirrored: Bool { package.facts.direction == .rightToLeft }

  init(
    _ publication: Publication,
    _ sheet: PageSheet,
    _ engine: Engine,
    _ limits: PressLimits
  ) throws(PressFault) {
    (self.publication, self.sheet) = (publication, sheet)
    (self.engine, self.limits) = (engine, limits)
    binder = try Binder()
    contents = publication.package.contents { publication.resource($0)?.bytes }
    titles = Dictionary(
      contents.lazy.compactMap { entry in entry.target.map { ($0.name, entry.title) } }
    ) { first, _ in first }
    heads.book = publication.package.facts.title
    engine.resource = { [unowned self] name in self.resource(name) }
    if contents.isEmpty { useHeadings() }
    collectTargets()
  }

  /// Lays out the whole book.
  /// - Parameter progress: Called after each part.
  /// - Returns: The book as PDF, and the sizes of its pages.
  /// - Throws: Why the book cannot be laid out; a part that cannot be shown is a page that says so.
  func layOut(progress: () -> Void) throws(PressFault) -> (pdf: [UInt8], pages: [PageFacts]) {
    try addCover()
    for item in package.spine {
      try layOut(item)
      guard binder.pageCount <= limits.document.pages else {
        throw .tooManyPages(binder.pageCount, limit: limits.document.pages)
      }
      progress()
    }
    guard binder.pageCount > 0 else { throw .noPages(.epub) }
    // The engine may be under the control of the book.
    let side = Double(limits.document.pageSide)
    func bounded(_ length: Double) -> Double { length.isFinite ? min(max(1, length), side) : 1 }
    let pages = binder.sizes.map { size in
      PageFacts(width: bounded(size.width), height: bounded(size.height))
    }
    progress()
    return (try binder.bound(contents), pages)
  }

  // MARK: What pages request

  private func resource(_ name: String) -> Publication.Resource? {
    if let current, current.name == name {
      return Publication.Resource(type: "application/xhtml+xml", bytes: current.bytes)
    }
    guard let file = publication.resource(name) else { return nil }
    guard file.type == "text/css" else { return file }
    if let known = sheets[name] { return known }
    let text = SpineText.adapted(String(decoding: file.bytes, as: UTF8.self))
    let sheet = Publication.Resource(type: file.type, bytes: Array(text.utf8))
    sheets[name] = sheet
    return sheet
  }

  // MARK: Parts

  private func text(_ item: EPUBPackage.SpineItem) -> SpineText? {
    guard !item.isPicture, EPUBPackage.SpineItem.canShow(item.type),
      let bytes = publication.resource(item.name)?.bytes
    else { return nil }
    return SpineText(bytes, name: item.name, isHTML: item.type == "text/html")
  }

  /// Makes a table of contents from the headings of the book, if it has several.
  private func useHeadings() {
    let headings = package.spine.filter { !$0.isFixed }.flatMap { item in
      (text(item)?.identifiedHeadings() ?? []).map { (name: item.name, heading: $0) }
    }
    guard headings.count > 1, let top = headings.map(\.heading.level).min() else { return }
    usesHeadings = true
    contents = headings.prefix(limits.content.outlineEntries).map { name, heading in
      EPUBPackage.ContentsEntry(
        depth: heading.level - top,
        title: heading.title,
        target: EPUBPackage.Target(name: name, fragment: heading.id)
      )
    }
  }

  private func collectTargets() {
    func want(_ target: EPUBPackage.Target?) {
      guard let target, !target.fragment.isEmpty else { return }
      wanted[target.name, default: []].insert(target.fragment)
    }
    for entry in contents { want(entry.target) }
    for item in package.spine {
      for address in text(item)?.links ?? [] { want(EPUBPackage.Target(address, in: item.name)) }
    }
  }

  private func layOut(_ item: EPUBPackage.SpineItem) throws(PressFault) {
    defer { binder.add(item.listedName, as: item.name) }
    try addBlank(before: item)
    if item.isPicture, let picture = publication.resource(item.name) {
      return try addPage(page(of: picture, item), of: item.name)
    }
    guard let text = text(item) else {
      return try addPage(sheet.missing(item.name, type: item.type), of: item.name)
    }
    if item.isFixed || item.isDrawing {
      try addFixed(text)
    } else if binder.pageCount == 0, let address = text.onlyPicture,
      let picture = EPUBPackage.resolve(address, from: item.name),
      publication.resource(picture) != nil
    {
      // A cover fills its page.
      try addPage(sheet.picture(picture), of: item.name)
    } else {
      try addFlowing(text)
    }
  }

  /// Returns a page with a picture, in its own size if the layout is fixed.
  private func page(of picture: Publication.Resource, _ item: EPUBPackage.SpineItem) -> String {
    guard item.isFixed else { return sheet.picture(item.name) }
    let header = try? ImageHeaders.read(Array(picture.bytes.prefix(1 << 16)))
    let own = header.flatMap { Viewport.checked($0.width, $0.height) }
    let size = package.viewport ?? own ?? Viewport.standard
    return PageSheet.picture(item.name, width: size.width, height: size.height)
  }

  /// Adds a page of ours.
  private func addPage(_ page: String, of name: String) throws(PressFault) {
    // Not under the name itself, which may be that of the picture on the page.
    let address = "lectern/page.xhtml"
    current = (address, Array(page.utf8))
    try engine.load(address)
    try binder.add(try engine.print(isOnePage: true), of: name, anchors: [:])
  }

  private func addFixed(_ text: SpineText) throws(PressFault) {
    let size = text.viewport ?? package.viewport ?? Viewport.standard
    let anchors = text.addAnchors(wanted[text.name] ?? [])
    text.redirectLinks(anchors)
    text.style(base: "", sheet: PageSheet.fixed(width: size.width, height: size.height))
    current = (text.name, text.bytes)
    try engine.resize(width: size.width, height: size.height)
    try engine.load(text.name)
    try binder.add(try engine.print(isOnePage: true), of: text.name, anchors: anchors)
  }

  private func addFlowing(_ text: SpineText) throws(PressFault) {
    let title = titles[text.name] ?? text.heading
    if !title.isEmpty { heads.chapter = title }
    if usesHeadings { _ = text.identifiedHeadings() }
    let anchors = text.addAnchors(wanted[text.name] ?? [])
    text.redirectLinks(anchors)
    text.state(package.facts.language)
    text.hyphenate(text.language ?? package.facts.language) { [self] in hyphenation($0) }
    let style = sheet.flowing(
      after: binder.pageCount,
      heads,
      isMirrored: isMirrored,
      startsLeft: package.isLeft(after: binder.pageCount),
      startsMirrored: text.isRightToLeft
    )
    text.style(base: PageSheet.base, sheet: style)
    current = (text.name, text.bytes)
    try engine.resize(width: sheet.area.width, height: sheet.area.height)
    try engine.load(text.name)
    let fitting = Self.fitting.replacing("BREAKS", with: "\(limits.document.pages)")
    let pages = Int(min(max(0, try engine.evaluate(fitting)?.number ?? 0), 1e9))
    // The engine would print for too long, and fail without a reason.
    guard pages <= limits.document.pages else {
      throw .tooManyPages(pages, limit: limits.document.pages)
    }
    try binder.add(try engine.print(isOnePage: false), of: text.name, anchors: anchors)
  }

  /// Returns about how many pages a text takes, at the least, after these changes.
  ///
  /// Scales tables, formulas and texts without breaks that are wider than the page, each alone; the
  /// engine would scale all pages instead.
  private static let fitting = """
    (() => {
      const width = document.documentElement.clientWidth
      // Inner ones first: scaling them may suffice for those that contain them.
      const parts = document.querySelectorAll('table, math, pre, ruby, div, p, code')
      for (const one of [...parts].reverse()) {
        const own = one.scrollWidth
        if (own <= width + 1) continue  // Lengths are rounded.
        if (one.matches('div, p') && one.querySelector('table, math, pre')) continue
        one.style.zoom = Math.max(.3, width / own)
      }
      document.documentElement.style.overflowX = 'clip'
      // The colour of a page would end at its margins; a dark one stays, because its text is light.
      const pixel = new OffscreenCanvas(1, 1).getContext('2d')
      for (const one of [document.documentElement, document.body]) {
        if (!one) continue
        const { backgroundColor, backgroundImage } = getComputedStyle(one)
        // As a pixel on paper, a colour in any notation has three numbers.
        for (const colour of ['white', backgroundColor]) {
          pixel.fillStyle = colour
          pixel.fillRect(0, 0, 1, 1)
        }
        const [red, green, blue] = pixel.getImageData(0, 0, 1, 1).data
        const isLight = .3 * red + .59 * green + .11 * blue > 150
        if (isLight && backgroundImage === 'none') {
          one.style.setProperty('background', 'none', 'important')
        }
      }
      // Poppler would read the letters of a ligature in a vertical line from its end.
      const { writingMode } = getComputedStyle(document.body ?? document.documentElement)
      const isVertical = writingMode.startsWith('vertical')
      if (isVertical) document.documentElement.style.fontVariantLigatures = 'none'
      const { scrollWidth, scrollHeight, clientHeight } = document.documentElement
      const breaks = document.querySelectorAll('*').length > BREAKS
        ? [...document.querySelectorAll('*')].filter((one) => {
          const { breakBefore, breakAfter } = getComputedStyle(one)
          return breakBefore !== 'auto' || breakAfter === 'page'
        }).length : 0
      return Math.max(isVertical ? scrollWidth / width : scrollHeight / clientHeight, breaks / 4)
    })()
    """

  private func hyphenation(_ language: String) -> Hyphenation? {
    if let known = patterns[language] { return known }
    let loaded = patterns.count < 32 ? Hyphenation(language: language) : nil
    patterns[language] = .some(loaded)
    return loaded
  }

  // MARK: Cover and blank pages

  /// Adds the cover if the spine does not begin with it.
  private func addCover() throws(PressFault) {
    guard let cover = package.cover, publication.resource(cover) != nil,
      let first = package.spine.first, first.name != cover
    else { return }
    if let text = text(first), let address = text.onlyPicture {
      // Whatever its only picture is, it is meant as the cover.
      guard EPUBPackage.resolve(address, from: first.name) == nil else { return }
    }
    guard !package.isFixed else { return }
    try addPage(sheet.picture(cover), of: cover)
  }

  /// Adds a blank page if the next one would be on another side than the book says.
  private func addBlank(before item: EPUBPackage.SpineItem) throws(PressFault) {
    guard !item.canFollow(binder.pageCount, in: package) else { return }
    let size = item.isFixed ? package.viewport ?? Viewport.standard : sheet.pixels
    let last = binder.sizes.last ?? (size.width * 0.75, size.height * 0.75)
    let style = "@page{size:\(last.width)pt \(last.height)pt;margin:0}"
    let page =
      "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><style>\(style)</style></head>"
      + "<body></body></html>"
    try addPage(page, of: "lectern/blank.xhtml")
  }
}

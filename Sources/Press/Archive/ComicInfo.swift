internal import PressProtocol

/// `ComicInfo.xml`, which describes a comic in an archive.
enum ComicInfo {
  /// Returns the images in the natural order of their names, with a description if there is one.
  static func plan(_ contents: ArchiveContents, _ format: DocumentFormat) -> ArchivePlan {
    var plan = ArchivePlan(facts: DocumentFacts(format: format), pages: contents.pagesInOrder)
    plan.facts.besides = contents.documents
    let names = contents.texts.keys.sorted()
    guard let name = names.first(where: { $0.lowercased().hasSuffix("comicinfo.xml") }),
      let bytes = contents.texts[name], let info = XMLElement(bytes), info.name == "ComicInfo"
    else { return plan }
    plan.facts.title = title(of: info)
    plan.facts.author = info.first("Writer")?.trimmed ?? ""
    plan.facts.language = info.first("LanguageISO")?.trimmed ?? ""
    plan.facts.series = (info.first("Series")?.trimmed).map { name in
      Series(
        name: name,
        volume: info.first("Volume")?.trimmed ?? "",
        number: info.first("Number")?.trimmed ?? ""
      )
    }
    if info.first("Manga")?.trimmed == "YesAndRightToLeft" { plan.facts.direction = .rightToLeft }
    describePages(of: info, in: &plan)
    return plan
  }

  /// Removes deleted pages, puts the front cover first, and adds the bookmarks and the pages that
  /// take a whole spread.
  ///
  /// Pages are named by their number among the images, from 0 on.
  private static func describePages(of info: XMLElement, in plan: inout ArchivePlan) {
    let images = plan.pages
    var deleted: Set<Int> = []
    var cover: Int?
    var doubles: Set<Int> = []
    for (number, page) in pages(of: info, count: images.count) {
      if page.attributes["DoublePage"]?.trimmed.lowercased() == "true" { doubles.insert(number) }
      switch page.attributes["Type"]?.trimmed {
      case "Deleted": deleted.insert(number)
      case "FrontCover": cover = cover ?? number
      default: break
      }
    }
    var order = images.indices.filter { !deleted.contains($0) }
    // A list that deletes every page describes another archive.
    guard !order.isEmpty else { return }
    if let cover, let place = order.firstIndex(of: cover) {
      order.insert(order.remove(at: place), at: 0)
    }
    plan.pages = order.map { images[$0] }
    plan.doubles = Set(order.indices.filter { doubles.contains(order[$0]) })
    let places = Dictionary(uniqueKeysWithValues: zip(order, order.indices))
    plan.outline = pages(of: info, count: images.count).compactMap { number, page in
      guard let title = page.attributes["Bookmark"]?.trimmed, !title.isEmpty,
        let place = places[number]
      else { return nil }
      return OutlineEntry(depth: 0, title: title, page: place)
    }
  }

  /// Returns the descriptions of pages that exist, with their numbers.
  private static func pages(of info: XMLElement, count: Int) -> [(Int, XMLElement)] {
    (info.first("Pages")?.children ?? []).compactMap { page in
      guard let number = page.attributes["Image"].flatMap({ Int($0) }), (0..<count).contains(number)
      else { return nil }
      return (number, page)
    }
  }

  /// Returns `Series 3: Title`, or the parts of it that exist.
  private static func title(of info: XMLElement) -> String {
    let series = info.first("Series")?.trimmed ?? ""
    let number = info.first("Number")?.trimmed ?? ""
    let title = info.first("Title")?.trimmed ?? ""
    let issue = series.isEmpty || number.isEmpty ? series : "\(series) \(number)"
    if issue.isEmpty || title.isEmpty { return issue + title }
    return "\(issue): \(title)"
  }
}

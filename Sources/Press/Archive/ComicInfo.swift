internal import PressProtocol

/// `ComicInfo.xml`, which describes a comic in an archive.
enum ComicInfo {
  /// Returns the images in the natural order of their names, with a description if there is one.
  static func plan(_ contents: ArchiveContents, _ format: DocumentFormat) -> ArchivePlan {
    var plan = ArchivePlan(facts: DocumentFacts(format: format), pages: contents.inNaturalOrder)
    let names = contents.texts.keys.sorted()
    guard let name = names.first(where: { $0.lowercased().hasSuffix("comicinfo.xml") }),
      let bytes = contents.texts[name], let info = XMLElement(bytes), info.name == "ComicInfo"
    else { return plan }
    plan.facts.title = title(of: info)
    plan.facts.author = info.first("Writer")?.trimmed ?? ""
    plan.facts.language = info.first("LanguageISO")?.trimmed ?? ""
    if info.first("Manga")?.trimmed == "YesAndRightToLeft" { plan.facts.direction = .rightToLeft }
    plan.outline = bookmarks(of: info, count: plan.pages.count)
    return plan
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

  private static func bookmarks(of info: XMLElement, count: Int) -> [OutlineEntry] {
    let pages = info.first("Pages")?.children ?? []
    return pages.compactMap { page in
      guard let title = page.attributes["Bookmark"]?.trimmed, !title.isEmpty,
        let number = page.attributes["Image"].flatMap({ Int($0) }), (0..<count).contains(number)
      else { return nil }
      return OutlineEntry(depth: 0, title: title, page: number)
    }
  }
}

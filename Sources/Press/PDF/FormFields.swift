internal import CPoppler

/// The values of the fields of a form, which Poppler draws but does not count as text of the page.
enum FormFields {
  typealias Letter = VerticalText.Letter

  /// Returns the values on a page from its top to its bottom, each in a line of its own, whose
  /// letters have the place of the field; O(n log n).
  /// - Parameters:
  ///   - page: The page.
  ///   - height: Its height in points.
  /// - Returns: The letters; empty for a page without a form.
  static func letters(of page: OpaquePointer, height: Double) -> [Letter] {
    let list = poppler_page_get_form_field_mapping(page)
    defer { poppler_page_free_form_field_mapping(list) }
    var values: [(place: PopplerRectangle, text: String)] = []
    var next = list
    while let entry = next {
      next = entry.pointee.next
      guard let mapping = entry.pointee.data?.assumingMemoryBound(to: PopplerFormFieldMapping.self),
        let text = mapping.pointee.field.flatMap({ value(of: $0) })
      else { continue }
      let area = mapping.pointee.area
      // These coordinates begin at the lower edge.
      let place = PopplerRectangle(
        x1: area.x1,
        y1: height - area.y2,
        x2: area.x2,
        y2: height - area.y1
      )
      values.append((place, text))
    }
    values.sort { ($0.place.y1, $0.place.x1) < ($1.place.y1, $1.place.x1) }
    return values.flatMap { value in
      [("\n", nil)] + value.text.unicodeScalars.map { ($0, value.place) }
    }
  }

  /// Returns what a field shows; nil for a button, a password and an empty field.
  private static func value(of field: OpaquePointer) -> String? {
    let text: UnsafeMutablePointer<CChar>?
    switch poppler_form_field_get_field_type(field) {
    case POPPLER_FORM_FIELD_TEXT where poppler_form_field_text_is_password(field) == 0:
      text = poppler_form_field_text_get_text(field)
    case POPPLER_FORM_FIELD_CHOICE: text = choice(of: field)
    default: text = nil
    }
    defer { g_free(text) }
    return text.map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns what was typed into a field with a choice, or else the first item that is chosen.
  private static func choice(of field: OpaquePointer) -> UnsafeMutablePointer<CChar>? {
    if let typed = poppler_form_field_choice_get_text(field) { return typed }
    let count = poppler_form_field_choice_get_n_items(field)
    for index in 0..<max(0, count)
    where poppler_form_field_choice_is_item_selected(field, index) != 0 {
      return poppler_form_field_choice_get_item(field, index)
    }
    return nil
  }
}

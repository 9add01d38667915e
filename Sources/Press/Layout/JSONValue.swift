internal import CJansson
internal import Glibc

/// A value of JSON, read and written by Jansson.
enum JSONValue {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case fields([String: JSONValue])

  /// Parses a text; nil if it is not JSON.
  init?(_ bytes: some Collection<UInt8>) {
    var error = json_error_t()
    let root = Array(bytes).withUnsafeBytes { buffer in
      json_loadb(
        buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
        buffer.count,
        size_t(JSON_DECODE_ANY | JSON_ALLOW_NUL),
        &error
      )
    }
    guard let root else { return nil }
    self.init(root)
    json_decref(root)
  }

  /// Copies a value; Jansson limits its depth to 2,048.
  private init(_ value: UnsafeMutablePointer<json_t>) {
    switch value.pointee.type {
    case JSON_OBJECT:
      var fields: [String: JSONValue] = [:]
      var next = json_object_iter(value)
      while let field = next {
        if let name = json_object_iter_key(field), let inner = json_object_iter_value(field) {
          fields[String(cString: name)] = JSONValue(inner)
        }
        next = json_object_iter_next(value, field)
      }
      self = .fields(fields)
    case JSON_ARRAY:
      self = .list(
        (0..<json_array_size(value)).compactMap { json_array_get(value, $0).map(JSONValue.init) }
      )
    case JSON_STRING:
      let bytes = UnsafeRawBufferPointer(
        start: json_string_value(value),
        count: json_string_length(value)
      )
      self = .text(String(decoding: bytes, as: UTF8.self))
    case JSON_INTEGER: self = .number(Double(json_integer_value(value)))
    case JSON_REAL: self = .number(json_real_value(value))
    case JSON_TRUE: self = .flag(true)
    case JSON_FALSE: self = .flag(false)
    default: self = .null
    }
  }

  /// Returns a field; nil if there is none.
  subscript(_ name: String) -> JSONValue? {
    if case .fields(let fields) = self { fields[name] } else { nil }
  }

  /// The text; nil if the value is none.
  var text: String? { if case .text(let text) = self { text } else { nil } }

  /// The number; nil if the value is none.
  var number: Double? { if case .number(let number) = self { number } else { nil } }

  /// The value as a compact text; nil if it cannot be written, as a number that is not finite.
  var encoded: [UInt8]? {
    guard let value = made else { return nil }
    defer { json_decref(value) }
    guard let text = json_dumps(value, size_t(JSON_COMPACT | JSON_ENCODE_ANY)) else { return nil }
    defer { free(text) }
    return Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }

  private var made: UnsafeMutablePointer<json_t>? {
    switch self {
    case .null: return json_null()
    case .flag(let flag): return flag ? json_true() : json_false()
    case .number(let number):
      if let whole = Int64(exactly: number) { return json_integer(whole) }
      return json_real(number)
    case .text(let text):
      let bytes = Array(text.utf8) + [0]
      return bytes.withUnsafeBytes { buffer in
        json_stringn(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count - 1)
      }
    case .list(let items):
      let list = json_array()
      for item in items { json_array_append_new(list, item.made ?? json_null()) }
      return list
    case .fields(let fields):
      let object = json_object()
      for (name, value) in fields { json_object_set_new(object, name, value.made ?? json_null()) }
      return object
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral text: String) { self = .text(text) }
  init(booleanLiteral flag: Bool) { self = .flag(flag) }
  init(floatLiteral number: Double) { self = .number(number) }
  init(arrayLiteral items: JSONValue...) { self = .list(items) }

  init(dictionaryLiteral fields: (String, JSONValue)...) {
    self = .fields(Dictionary(fields) { $1 })
  }
}

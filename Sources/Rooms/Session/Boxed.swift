/// A large value in separate storage, copied when it is changed while others share it.
///
/// A stored property of several kilobytes makes its owner as large, and the owner is copied on the
/// stack again and again where its methods are called. A boxed value costs a pointer there and
/// keeps value semantics.
struct Boxed<Value: Sendable>: Sendable {
  /// Changed only by the one box that refers to it.
  private final class Storage: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  private var storage: Storage

  init(_ value: Value) { storage = Storage(value) }

  var value: Value {
    _read { yield storage.value }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
      yield &storage.value
    }
  }
}

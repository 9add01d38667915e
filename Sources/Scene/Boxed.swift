/// A large value in separate storage, copied when it is changed while others share it.
///
/// A stored property of several kilobytes makes its owner as large, and the owner is copied on the
/// stack again and again where its methods are called. A boxed value costs a pointer there and
/// keeps value semantics. An optional box costs no more than a pointer while it is nil.
public struct Boxed<Value: Sendable>: Sendable {
  /// Changed only by the one box that refers to it.
  @usableFromInline
  final class Storage: @unchecked Sendable {
    @usableFromInline var value: Value
    @inlinable init(_ value: Value) { self.value = value }
  }

  @usableFromInline var storage: Storage

  /// Creates a box with a value.
  @inlinable public init(_ value: Value) { storage = Storage(value) }

  /// The value.
  @inlinable public var value: Value {
    _read { yield storage.value }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
      yield &storage.value
    }
  }
}

extension Boxed: Equatable where Value: Equatable {
  /// Whether the values are equal.
  @inlinable public static func == (one: Boxed, other: Boxed) -> Bool {
    one.storage === other.storage || one.storage.value == other.storage.value
  }
}

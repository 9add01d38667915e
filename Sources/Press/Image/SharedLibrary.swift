internal import Glibc

/// A library that is opened at run time, because most presses do without it.
struct SharedLibrary {
  private let handle: UnsafeMutableRawPointer

  /// Opens a library by its name; `nil` if it is not installed.
  init?(_ name: String) {
    guard let handle = dlopen(name, RTLD_NOW) else { return nil }
    self.handle = handle
  }

  /// Finds a function.
  ///
  /// The caller vouches for its type.
  func function<T>(_ name: String, as type: T.Type = T.self) -> T? {
    guard let symbol = dlsym(handle, name) else { return nil }
    return unsafeBitCast(symbol, to: type)
  }
}

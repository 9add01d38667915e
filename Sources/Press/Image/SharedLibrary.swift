internal import Glibc

/// A library that is loaded at run time, because most presses do not need it.
struct SharedLibrary {
  private let handle: UnsafeMutableRawPointer

  /// Loads a library by its name; `nil` if it is not installed.
  init?(_ name: String) {
    guard let handle = dlopen(name, RTLD_NOW) else { return nil }
    self.handle = handle
  }

  /// Looks up a function.
  ///
  /// The caller is responsible for the correct type.
  func function<T>(_ name: String, as type: T.Type = T.self) -> T? {
    guard let symbol = dlsym(handle, name) else { return nil }
    return unsafeBitCast(symbol, to: type)
  }
}

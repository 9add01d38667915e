internal import Glibc
internal import PressProtocol

// The faults of what an import uses, as those of the import.
extension Importer {
  func pressed<T>(_ work: () throws(PressFault) -> T) throws(ImportFault) -> T {
    do throws(PressFault) { return try work() } catch {
      throw isStopped.isSet ? .stopped : .press(error)
    }
  }

  func filed<T>(_ work: @autoclosure () throws(FileFault) -> T) throws(ImportFault) -> T {
    do throws(FileFault) { return try work() } catch {
      switch error.code {
      case ECANCELED: throw .stopped
      case ENOSPC, EDQUOT: throw .noRoom(error.notice)
      default: throw .file(error.notice)
      }
    }
  }

  func catalogued<T: Sendable>(_ work: (Database) throws -> T) throws(ImportFault) -> T {
    do throws(DatabaseError) { return try store.read(work) } catch { throw .catalogue(error) }
  }

  func written<T: Sendable>(_ work: (Database) throws -> T) throws(ImportFault) -> T {
    do throws(DatabaseError) { return try store.write(work) } catch { throw .catalogue(error) }
  }
}

internal import Geometry
internal import Scene

struct PlayoutDelay {
  var value = 0.05; var deadline: Double?;
  mutating func note(lateness: Double, of: MemberID, at: Double) {};
  mutating func forget(_ m: MemberID) {}; mutating func advance(to: Double) -> Bool { false };
  func lags(_ m: MemberID) -> Bool { false }
}
struct Pace { var frameGap: Double?; mutating func note(lag: Double, at: Double) {} }
struct Allowance {
  init(rate: Double, burst: Double) {}; mutating func take(at: Double) -> Bool { true }
}
struct Spot { var element: ElementKey?; var x, y: Double }
extension Frame {
  func spot(at p: Point, size: (ElementKey) -> (Size, ElementSide)) -> Spot {
    Spot(element: nil, x: p.x, y: p.y)
  }
}

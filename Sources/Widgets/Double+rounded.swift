internal import Glibc

/// The value with so many decimals (0...6), halves away from zero, so that both signs look the same.
func rounded(_ value: Double, decimals: Int) -> Double {
    let steps = pow(10, Double(decimals))
    return (value * steps).rounded(.toNearestOrAwayFromZero) / steps
}

import Testing

@testable import KeyedArchive

@Suite("Ordering")
struct OrderingTests {
    @Test("Any number of values is put in order, and equal ones stay in theirs")
    func order() {
        var random = SplitMix64(seed: 7)
        for count in Array(0...40) + [63, 64, 65, 1000] {
            for kinds in [1, 2, 7, 1_000_000] as [UInt64] {
                let values = (0..<count).map { _ in random.next() % kinds }
                let expected = values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
                #expect(Ordering.sorted(count) { values[$0] < values[$1] } == expected, "\(count) of \(kinds) kinds")
            }
        }
    }

    @Test("Comparisons are n log n, whatever the order before")
    func comparisons() {
        let count = 4096
        for values in [Array(0..<count), (0..<count).reversed(), Array(repeating: 0, count: count)] {
            var comparisons = 0
            _ = Ordering.sorted(count) {
                comparisons += 1
                return values[$0] < values[$1]
            }
            #expect(comparisons <= count * 12)
        }
    }
}

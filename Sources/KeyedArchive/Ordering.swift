// Ordering: the sort of what is compared in Swift; texts in memory are put in order by CSystem. It moves numbers alone, whatever
// is compared, so that it is compiled once: the standard library's is compiled anew, and long, for each type of element.

package enum Ordering {
    /// The numbers below `count` in the order that `isLess` says; those that are equal stay in theirs.
    ///
    /// A merge sort without recursion: n log n comparisons, whatever is compared.
    @inline(never)
    package static func sorted(_ count: Int, by isLess: (Int, Int) -> Bool) -> [Int] {
        var sorted = Array(0..<count)
        var merged = sorted
        var width = 1
        while width < count {
            var start = 0
            while start < count {
                let middle = min(start + width, count)
                let end = min(middle + width, count)
                var (left, right) = (start, middle)
                for position in start..<end {
                    // The left one comes first unless the right one is less.
                    let isRight = right < end && (left == middle || isLess(sorted[right], sorted[left]))
                    merged[position] = sorted[isRight ? right : left]
                    if isRight { right += 1 } else { left += 1 }
                }
                start = end
            }
            swap(&sorted, &merged)
            width *= 2
        }
        return sorted
    }
}

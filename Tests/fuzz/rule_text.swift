// Fuzz target: rules as text. What is read is printed, and read again the same; it can be asked, and compared; versions that
// are cut out of it have one order.
// seeds: *.rule
// options: -max_len=8192

import FirstTimeEngine
import FirstTimeStore

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    compareVersions(input)
    let rule: Rule
    do throws(EngineError) { rule = try RuleParser.parse(input) } catch {
        guard case .ruleText(let line, let column, _) = error else { fatalError("an error that names no place") }
        require(line >= 1 && column >= 1 && line + column <= count + 2, "a place that isn't in the text")
        return 0
    }
    let text = rule.text
    guard let again = try? RuleParser.parse(text) else { fatalError("what was printed can't be read") }
    require(again == rule, "what was printed is another rule")
    require(again.text == text, "what was printed is printed otherwise")
    let version = Array(input.prefix(4))
    let now = Double(bitPattern: UInt64(truncatingIfNeeded: count) << 52)
    var asked = 0
    let situation = RuleSituation(now: now, version: version) { event in
        asked += 1
        return event.bytes.count % 2 == 0 ? nil : donations(event)
    }
    let answer = rule.isFulfilled(situation)
    require(asked <= count, "asked more often than there are events")
    require(again.isFulfilled(situation) == answer, "equal rules answer otherwise")
    if let negated = try? Rule.not(rule) { require(negated.isFulfilled(situation) != answer, "not is no negation") }
    return 0
}

private func donations(_ event: Key) -> Donations {
    var donations = Donations()
    donations.count = UInt64(event.bytes.count)
    donations.lastTime = Double(event.bytes.count)
    donations.firstVersion = event.bytes
    return donations
}

private func compareVersions(_ input: [UInt8]) {
    let versions = input.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false).prefix(3).map {
        Array($0)
    }
    for left in versions {
        for right in versions {
            let order = VersionComparison.compare(left, right)
            require(order == -VersionComparison.compare(right, left), "an order that depends on who is asked")
            for other in versions where order <= 0 && VersionComparison.compare(right, other) <= 0 {
                require(VersionComparison.compare(left, other) <= 0, "an order that isn't one")
            }
        }
    }
}

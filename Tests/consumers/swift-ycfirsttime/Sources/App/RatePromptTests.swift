// A fresh instance with its seams, as unit tests of apps use it.

import Foundation
import YCFirstTime

func testRatePromptRunsAgainAfterAWeek() {
    let start = Date(timeIntervalSince1970: 1_700_000_000)
    var now = start
    let firstTime = YCFirstTime()
    firstTime.versionProvider = { "1.0" }
    firstTime.nowProvider = { now }

    var fires = 0
    firstTime.executeOncePerInterval(
        { fires += 1 },
        forKey: "prompt.rating",
        withDaysInterval: 7
    )
    precondition(fires == 1)
    precondition(firstTime.lastExecutionDate(forKey: "prompt.rating") == start)

    now = start.addingTimeInterval(8 * 86_400)
    firstTime.executeOncePerInterval(
        { fires += 1 },
        forKey: "prompt.rating",
        withDaysInterval: 7
    )
    precondition(fires == 2)
    precondition(firstTime.lastExecutionDate(forKey: "prompt.rating") == now)
}

func testVersions() {
    let firstTime = YCFirstTime()
    var runs = 0
    for (version, count) in [("2.0", 1), ("2.0", 1), ("2.0.0", 2)] {
        firstTime.versionProvider = { version }
        firstTime.executeOncePerVersion({ runs += 1 }, forKey: "whats-new")
        precondition(runs == count)
    }
    firstTime.versionProvider = nil
    firstTime.nowProvider = nil
    // The state is the app's, whichever instance asks.
    precondition(YCFirstTime.shared.blockWasExecuted("whats-new"))
    YCFirstTime.shared.reset()
    precondition(!firstTime.blockWasExecuted("whats-new"))
}

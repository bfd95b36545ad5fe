// usage: App          prints what ran: on the second start, nothing. Exits with 3 when the onboarding isn't recorded
//        App tests    what the app's unit tests do; it resets the state

import Foundation
import YCFirstTime

if CommandLine.arguments.contains("tests") {
    testRatePromptRunsAgainAfterAWeek()
    testVersions()
    exit(0)
}

YCFirstTime.shared.executeOnce(
    {
        // your one-time code
        print("top level")
    }, forKey: "main.v1")

MainActor.assumeIsolated {
    let screen = WelcomeScreen()
    screen.appear()
}
let button = FeatureButton()
button.tap()
button.update()
let prompts = Prompts()
prompts.ask()
prompts.optional { print("optional") }
fromAnotherQueue()

guard YCFirstTime.shared.blockWasExecuted("onboarding.v1") else { exit(3) }
precondition(!YCFirstTime.shared.blockWasExecuted("nothing"))
precondition(YCFirstTime.shared === YCFirstTime.shared)
if let lastAsked = YCFirstTime.shared.lastExecutionDate(forKey: "prompt.rating") {
    precondition(lastAsked.timeIntervalSinceNow <= 0)
} else {
    fatalError("the date is not recorded")
}

// Call sites as apps have them: closures of their own, self, weak self, actors, queues.

import Dispatch
import YCFirstTime

@MainActor
final class WelcomeScreen {
    private var steps: [String] = []
    private let firstTime = YCFirstTime.shared

    func appear() {
        YCFirstTime.shared.executeOnce(
            {
                self.show("onboarding")
            }, forKey: "onboarding.v1")

        YCFirstTime.shared.executeOnce(
            { [weak self] in
                self?.show("database seeded")
            }, forKey: "db.seed.v1")

        firstTime.executeOncePerVersion({ self.show("what's new") }, forKey: "whats-new")
    }

    private func show(_ step: String) {
        steps.append(step)
        print(step)
    }
}

final class FeatureButton {
    private(set) var tips = 0

    func tap() {
        YCFirstTime.shared.executeOnce(
            {
                print("tutorial bubble")
            },
            executeAfterFirstTime: {
                self.tips += 1
            }, forKey: "feature.tutorial")
    }

    func update() {
        YCFirstTime.shared.executeOncePerVersion(
            {
                print("feature in this version")
            },
            executeAfterFirstTime: {
                self.tips += 1
            }, forKey: "feature.version")
    }
}

struct Prompts {
    var firstTime = YCFirstTime.shared
    let days: Float = 7

    func ask() {
        firstTime.executeOncePerInterval(
            {
                print("rate the app")
            }, forKey: "prompt.rating", withDaysInterval: 7)
        firstTime.executeOncePerInterval({ print("push permission") }, forKey: "prompt.push", withDaysInterval: 0.5)
        firstTime.executeOncePerInterval(askForLocation, forKey: "prompt.location", withDaysInterval: days)
    }

    private func askForLocation() { print("location permission") }

    func optional(_ work: (() -> Void)?) {
        firstTime.executeOnce(work, forKey: "optional")
        firstTime.executeOnce(nil, forKey: "nothing")
        firstTime.executeOnce(work, executeAfterFirstTime: nil, forKey: "optional")
    }
}

func fromAnotherQueue() {
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
        YCFirstTime.shared.executeOnce({ print("on a queue") }, forKey: "queue")
        done.signal()
    }
    done.wait()
}

// A package outside this one that uses module FirstTime, which it depends on by path.
import FirstTime

let firstTime = try FirstTime(path: CommandLine.arguments[1])
var runs = 0
for _ in 0..<2 {
    try firstTime.executeOnce(forKey: "outside") { runs += 1 }
}
precondition(runs == 1)
let wasExecuted = try firstTime.wasExecuted("outside")
precondition(wasExecuted)
try firstTime.close()

// swift-tools-version: 6.2
// An app outside the package that was written for YCFirstTime: its sources know nothing of FirstTime.
import PackageDescription

// Both language modes of Swift compile it, without a warning. Suite swift-drop-in sets this.
let mode: SwiftLanguageMode = Context.environment["SWIFT_LANGUAGE_MODE"] == "5" ? .v5 : .v6

let package = Package(
    name: "App",
    dependencies: [
        .package(name: "FirstTime", path: "../../..")
    ],
    targets: [
        .executableTarget(
            name: "App",
            dependencies: [.product(name: "YCFirstTime", package: "FirstTime")],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [mode]
)

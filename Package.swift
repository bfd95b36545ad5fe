// swift-tools-version: 6.2
import PackageDescription

/// The core targets compile with the full Swift runtime and, with `--traits Embedded`, without any.
let core: [SwiftSetting] = [
    .enableExperimentalFeature("Embedded", .when(traits: ["Embedded"])),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "FirstTime",
    products: [
        .library(name: "FirstTime", targets: ["FirstTime"]),
        .library(name: "YCFirstTime", targets: ["YCFirstTime"]),
        .library(name: "FirstTimeFoundation", targets: ["FirstTimeFoundation"]),
        .executable(name: "firsttime-c-demo", targets: ["firsttime-c-demo"]),
        .executable(name: "firsttime-command", targets: ["firsttime-command"]),
    ],
    traits: [
        .trait(
            name: "Embedded",
            description: "Compile the core as Embedded Swift: a C program then links it without a Swift runtime."),
        .trait(
            name: "TestPoints",
            description: "For the crash tests alone: makes moments between system calls visible to strace."),
    ],
    targets: [
        // The public C header, and nothing else.
        .target(name: "CFirstTime"),
        // The libc calls that Swift can't spell.
        .target(
            name: "CSystem", cSettings: [.define("FIRSTTIME_TEST_POINTS", .when(traits: ["TestPoints"]))],
            linkerSettings: [.linkedLibrary("m")]),
        // Bytes <-> values.
        .target(name: "KeyedArchive", dependencies: ["CSystem"], swiftSettings: core),
        // Values <-> disk.
        .target(name: "FirstTimeStore", dependencies: ["KeyedArchive", "CSystem"], swiftSettings: core),
        // When may a key run.
        .target(name: "FirstTimeEngine", dependencies: ["FirstTimeStore", "CSystem"], swiftSettings: core),
        // The C functions and the Swift API.
        .target(name: "FirstTime", dependencies: ["FirstTimeEngine", "CFirstTime", "CSystem"], swiftSettings: core),
        // The class that code written for YCFirstTime calls. It has Foundation, and with the trait Embedded nothing in it.
        .target(name: "YCFirstTime", dependencies: ["FirstTime"], swiftSettings: core),
        // Date, NotificationCenter and DispatchQueue, for Swift programs that use Foundation.
        .target(
            name: "FirstTimeFoundation", dependencies: ["FirstTime"],
            swiftSettings: core + [.enableUpcomingFeature("InternalImportsByDefault")]),
        .executableTarget(name: "firsttime-c-demo", dependencies: ["FirstTime", "CFirstTime"]),
        // The tool, installed as `firsttime`: file systems that ignore case have one place for that and FirstTime.
        .executableTarget(name: "firsttime-command", dependencies: ["FirstTime", "CFirstTime"]),

        .testTarget(name: "KeyedArchiveTests", dependencies: ["KeyedArchive"]),
        .testTarget(name: "FirstTimeStoreTests", dependencies: ["FirstTimeStore", "KeyedArchive", "CSystem"]),
        .testTarget(
            name: "FirstTimeEngineTests",
            dependencies: ["FirstTimeEngine", "FirstTimeStore", "KeyedArchive", "CSystem"]),
        .testTarget(
            name: "FirstTimeTests", dependencies: ["FirstTime", "FirstTimeEngine", "FirstTimeStore", "CFirstTime"]),
        .testTarget(name: "YCFirstTimeTests", dependencies: ["YCFirstTime", "FirstTime"]),
        .testTarget(name: "FirstTimeFoundationTests", dependencies: ["FirstTimeFoundation", "FirstTime"]),
    ]
)

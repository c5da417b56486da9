// swift-tools-version: 6.2

import PackageDescription

/// Every target of the package is held to the same rules.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A door to a C library from Debian: only a module map and a header stand behind it.
func door(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

let package = Package(
    name: "flowbridge",
    products: [
        .executable(name: "flowbridge", targets: ["flowbridge"]),
        .executable(name: "pushward-emulator", targets: ["pushward-emulator"]),
        .executable(name: "capture-player", targets: ["capture-player"]),
        .library(name: "AllocationCounter", type: .dynamic, targets: ["AllocationCounter"]),
    ],
    targets: [
        door("CMosquitto", pkgConfig: "libmosquitto", apt: "libmosquitto-dev"),
        door("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
        door("CFyaml", pkgConfig: "libfyaml", apt: "libfyaml-dev"),
        door("CMicrohttpd", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
        door("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        .target(
            name: "CSimdjson",
            // Without it the assertions in simdjson's header took a sixth of a large payload's time.
            cxxSettings: [.define("NDEBUG", .when(configuration: .release))],
            linkerSettings: [.linkedLibrary("simdjson")]
        ),
        .target(name: "CLinux"),

        // The core, left to right: each room sees only those before it.
        room("Readings", ["CSimdjson"]),
        room("EnergyFlow", ["Readings"]),
        room("Widgets", ["CSimdjson", "EnergyFlow"]),
        room("Delivery", ["Readings", "EnergyFlow", "Widgets"]),
        room("Bridge", ["Readings", "EnergyFlow", "Widgets", "Delivery"]),

        // The drivers and what they stand on.
        room("TimeZones", ["EnergyFlow"]),
        room("Replay", ["Readings", "EnergyFlow", "Widgets", "Delivery", "Bridge"]),
        room("Configuration", ["CFyaml", "Readings", "EnergyFlow", "Widgets", "Delivery", "Bridge"]),
        room("Mosquitto", ["CMosquitto", "CLinux"]),
        room("HTTPTransport", ["CCurl"]),
        room("StateStore", ["CSQLite", "EnergyFlow"]),
        .executableTarget(
            name: "flowbridge",
            dependencies: [
                "CLinux", "Readings", "EnergyFlow", "TimeZones", "Widgets", "Delivery", "Bridge", "Replay",
                "Configuration",
                "Mosquitto", "HTTPTransport", "StateStore",
            ],
            swiftSettings: strict
        ),
        room("Emulator", ["Readings", "Widgets"]),
        .executableTarget(
            name: "pushward-emulator",
            dependencies: ["CMicrohttpd", "CLinux", "Readings", "Widgets", "Emulator"],
            swiftSettings: strict
        ),

        // The demonstration: a player of recorded days, which is no part of the daemon.
        room("Demonstration", ["Widgets"]),
        .executableTarget(
            name: "capture-player",
            dependencies: ["Demonstration", "HTTPTransport", "Mosquitto", "Replay", "Widgets"],
            swiftSettings: strict
        ),

        // What the tests share that run programs: brokers, the emulator, the daemon.
        .target(name: "ProcessSupport", path: "Tests/ProcessSupport", swiftSettings: strict),
        // Counts a program's allocations from inside it.
        .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),

        tests("ReadingsTests", ["Readings", "Delivery"]),
        tests("EnergyFlowTests", ["EnergyFlow", "Readings", "TimeZones", "Delivery"]),
        tests("TimeZonesTests", ["TimeZones", "EnergyFlow"]),
        tests("WidgetsTests", ["Widgets", "EnergyFlow", "Readings", "Delivery"]),
        tests("DeliveryTests", ["Delivery", "EnergyFlow", "Widgets", "Readings"]),
        tests("BridgeTests", ["Bridge", "Readings", "EnergyFlow", "TimeZones", "Widgets", "Delivery"]),
        tests(
            "EmulatorTests",
            ["Delivery", "Emulator", "ProcessSupport", "Readings", "Widgets", "pushward-emulator", "flowbridge"]
        ),
        tests("DemonstrationTests", ["Demonstration", "Widgets"]),
        tests("MosquittoTests", ["Mosquitto", "ProcessSupport"]),
        tests("HTTPTransportTests", ["HTTPTransport"]),
        tests(
            "ReplayTests",
            [
                "CSQLite", "StateStore", "Replay", "Bridge", "Configuration", "Readings", "EnergyFlow", "TimeZones",
                "Widgets", "Delivery", "Emulator",
            ]
        ),
        tests("StateStoreTests", ["StateStore", "CSQLite", "EnergyFlow", "Delivery", "flowbridge"]),
        tests(
            "EndToEndTests",
            [
                "Delivery", "ProcessSupport", "Widgets", "flowbridge", "pushward-emulator",
                "capture-player",
            ]
        ),
        tests("ConfigurationTests", ["Configuration", "Readings", "EnergyFlow", "Widgets", "Delivery", "Bridge"]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

import ProcessSupport

extension Home {
    /// What the daemon is told: a house with solar and a grid, and beside it one that only serves as a sign that whatever
    /// was published before has arrived as well.
    struct Configuration {
        /// Further members of each section, after a comma.
        var broker = ""
        var brokerURL: String?
        var push = "every: 1s, urgent: 1s, settle: 0s"
        var fencePush = "every: 1s, urgent: 1s, settle: 0s"
        var solar = ""

        func text(brokerPort: UInt16, servicePort: UInt16) -> String {
            """
            broker: { url: "\(brokerURL ?? "mqtt://127.0.0.1:\(brokerPort)")", client_id: home\(broker) }
            pushward: { url: "http://127.0.0.1:\(servicePort)", key: { file: key } }
            timezone: Europe/Berlin
            readings:
              solar: { topic: home/solar, unit: W\(solar) }
              solar_energy: { topic: home/energy, unit: kWh, counts: lifetime }
              grid: { topic: home/grid, unit: W }
              fence: { topic: home/fence, unit: W }
            widgets:
              power:
                template: flow
                name: Home power
                label: Power
                unit: W
                push_throttle: 1s
                push: { \(push), deadband: 0 }
                inputs:
                  - { name: Solar, icon: sun.max.fill, color: yellow, rate: solar, total: solar_energy }
                exchange: { name: Grid, rate: { import: grid } }
                output: { name: Home, rate: balance }
              fence:
                template: flow
                name: Fence
                push_throttle: 1s
                push: { \(fencePush), deadband: 0 }
                inputs:
                  - { name: Fence, rate: fence }

            """
        }
    }

    func configure(_ configuration: Configuration) throws {
        let text = configuration.text(brokerPort: brokerPort, servicePort: servicePort)
        try write(text, to: "\(directory)/flowbridge.yaml")
    }
}

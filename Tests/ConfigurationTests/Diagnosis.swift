import Configuration

/// The three sections that a test is not about.
let soundHead = """
    broker: { url: mqtt://localhost }
    pushward: { key: { credential: pushward-key } }
    timezone: UTC

    """

/// One reading, and a widget that uses it.
let soundReadings = "readings:\n  grid: { topic: t }\n"
let soundWidgets = """
    widgets:
      power: { template: flow, name: Home, exchange: { rate: { import: grid } } }

    """

/// All problems of a text as they would be printed.
func diagnosis(of text: String) -> String {
    ConfigurationReader().read(text: text).problems.map(\.description).joined(separator: "\n")
}

/// The root of the package.
let packageRoot = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()

/// The configuration that the documentation shows.
let example = """
    broker:
      url: mqtts://homeassistant.local:8883      # mqtt:// without TLS
      username: flowbridge
      password: { file: mqtt-password }          # relative to this file, or { credential: mqtt-password }
      ca: /etc/ssl/certs/home-ca.pem

    pushward:
      key: { credential: pushward-key }

    timezone: Europe/Berlin

    readings:
      solar_power:   { topic: solar/ac/power, unit: W, expires: 15m, expired: zero }
      solar_today:   { topic: solar/ac/yieldday, unit: Wh, counts: today }
      grid_power:    { topic: shellypro3em-aabbccddeeff/status/em:0, path: /total_act_power, unit: W }
      grid_in:       { topic: shellypro3em-aabbccddeeff/status/emdata:0, path: /total_act, unit: Wh, counts: lifetime }
      battery_power: { topic: N/c0619ab00000/system/0/Dc/Battery/Power, path: /value, unit: W }
      battery_level: { topic: N/c0619ab00000/system/0/Dc/Battery/Soc, path: /value, unit: "%" }

    widgets:
      power:                                     # the slug
        template: flow
        name: Home power
        label: Power
        unit: W
        inputs:
          - { name: Solar, icon: sun.max.fill, color: yellow, rate: solar_power, total: solar_today }
        storage:  { name: Battery, rate: { charging: battery_power }, level: battery_level }
        exchange: { name: Grid, rate: { import: grid_power }, total: grid_in }
        output:   { name: Home, rate: balance, total: integrate }

    """

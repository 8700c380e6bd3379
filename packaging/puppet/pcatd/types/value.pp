# A value of an option: systemd splits the options at spaces, and removes quotes.
type Pcatd::Value = Variant[Integer, Pattern[/\A[^\s"'\\]+\z/]]

package dataconv

// Mode is the conversion of values that are not plain data.
type Mode uint8

const (
	// Rich keeps every value, marked by `__ptype`.
	Rich Mode = iota
	// Plain replaces values by their text, except Sensitive. The reference
	// sends this format to agents that do not support rich data.
	Plain
	// Stringified replaces values by their text, and secrets by
	// [pcore.RedactedText]. The reference sends this format to PuppetDB.
	Stringified
)

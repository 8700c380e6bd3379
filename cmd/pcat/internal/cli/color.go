package cli

import "fmt"

// ColorMode specifies when output is coloured. The zero value is [ColorAuto]. It is a flag value.
type ColorMode int

// The colour modes.
const (
	ColorAuto   ColorMode = iota // on a terminal, unless the environment overrides it
	ColorAlways                  // always
	ColorNever                   // never
)

var colorNames = [...]string{ColorAuto: "auto", ColorAlways: "always", ColorNever: "never"}

// String returns the mode's name.
func (m ColorMode) String() string { return colorNames[m] }

// Type implements pflag.Value.
func (ColorMode) Type() string { return "WHEN" }

// Set implements pflag.Value.
func (m *ColorMode) Set(name string) error {
	for mode, known := range colorNames {
		if name == known {
			*m = ColorMode(mode)
			return nil
		}
	}
	return fmt.Errorf("use auto, always or never, not %q", name)
}

// Color reports whether output to Out is coloured. It depends on, in this order: the flag --color, NO_COLOR
// (any text: no), CLICOLOR_FORCE (any text but 0: yes), TERM=dumb (no), and whether Out is a terminal that can show
// colours.
func (s *IOStreams) Color() bool {
	switch {
	case s.settings.Color == ColorAlways:
		return true
	case s.settings.Color == ColorNever, s.Getenv("NO_COLOR") != "":
		return false
	}
	if force := s.Getenv("CLICOLOR_FORCE"); force != "" && force != "0" {
		return true
	}
	return s.OutTerminal && !s.plain && s.Getenv("TERM") != "dumb"
}

// Hyperlinks reports whether output to Out can have hyperlinks: on a terminal with colours.
func (s *IOStreams) Hyperlinks() bool { return s.OutTerminal && s.Color() }

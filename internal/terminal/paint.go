package terminal

// The styles of [Paint], as parameters of the sequence SGR of ECMA-48.
const (
	Bold    = "1"
	Faint   = "2"
	Red     = "31"
	Green   = "32"
	Yellow  = "33"
	Cyan    = "36"
	BoldRed = "1;31"
)

// Paint returns text in a style if on is set. It returns the text itself if on is not
// set, and if the text or the style is empty.
func Paint(on bool, style, text string) string {
	if !on || style == "" || text == "" {
		return text
	}
	return "\x1b[" + style + "m" + text + noColor
}

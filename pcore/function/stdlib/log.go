package stdlib

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

func logFunctions() []function.Function {
	levels := []function.Level{
		function.Debug, function.Info, function.Notice, function.Warning,
		function.Err, function.Alert, function.Crit, function.Emerg,
	}
	functions := make([]function.Function, len(levels))
	for i, level := range levels {
		functions[i] = function.Function{
			Name:             string(level),
			Doc:              "Logs its arguments, separated by spaces, at the level " + string(level) + ".",
			Effects:          function.Logs,
			HandlesSensitive: true,
			Dispatches: one("Any values* >> Undef", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				texts := make([]string, len(args))
				for i, v := range args {
					texts[i] = rubytext.Interpolate(v)
				}
				c.Say(level, strings.Join(texts, " "))
				return pcore.Undef{}, nil
			}),
		}
	}
	return functions
}

// deprecated logs a deprecation warning without a source location.
func deprecated(c *function.Call, text string) { warn(c, text, text+"\n   "+unknownLocation) }

// deprecatedHere logs a deprecation warning with the source location of the
// call, which Puppet logs only for the first call.
func deprecatedHere(c *function.Call, text string) { warn(c, text, text+"\n   "+here(c)) }

// deprecatedOnLine logs a deprecation warning with the source location of the
// call, which Puppet logs for each line.
func deprecatedOnLine(c *function.Call, text string) {
	text += "\n   " + here(c)
	warn(c, text, text)
}

func warn(c *function.Call, key, text string) {
	if c.Deprecated == nil {
		c.Say(function.Warning, text)
		return
	}
	c.Deprecated(key, text)
}

// here returns the source location of the call, as Puppet prints it.
func here(c *function.Call) string {
	if c.Location != nil {
		if file, line := c.Location(); line > 0 {
			return fmt.Sprintf("(file: %s, line: %d)", cmp.Or(file, "unknown"), line)
		}
	}
	return unknownLocation
}

const unknownLocation = "(file & line not available)"

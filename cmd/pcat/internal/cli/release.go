package cli

import (
	"runtime/debug"
	"strings"
)

// Release returns the version of pcat as SemVer writes it, empty for one that was not released.
func Release() string {
	b, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	v, ok := strings.CutPrefix(b.Main.Version, "v")
	if !ok {
		return ""
	}
	return v
}

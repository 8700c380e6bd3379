package audit

import (
	"runtime/debug"
	"strings"
)

// version returns the version of pcat as SemVer writes it, empty for one that was not released.
func version() string {
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

package graph

import (
	"strconv"

	"github.com/pcatdev/pcat/internal/environment"
)

// Place returns a line of a manifest as messages show it: without the path to the
// environment, and without a line that is 0.
func Place(manifest string, line int64) string {
	manifest, _ = environment.Cut(manifest)
	if manifest == "" || line == 0 {
		return manifest
	}
	return manifest + ":" + strconv.FormatInt(line, 10)
}

package graph

import (
	"strconv"
	"strings"
)

// Place returns a line of a manifest as messages show it: without the path to the
// environment, and without a line that is 0.
func Place(manifest string, line int64) string {
	if _, rest, ok := strings.Cut(manifest, "/environments/"); ok {
		if _, inside, ok := strings.Cut(rest, "/"); ok {
			manifest = inside
		}
	}
	if manifest == "" || line == 0 {
		return manifest
	}
	return manifest + ":" + strconv.FormatInt(line, 10)
}

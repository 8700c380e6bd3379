package terminal

import (
	"encoding/json"
	"io"
)

// Encode writes v to w as JSON on one line, with hidden characters escaped. See [JSON].
func Encode(w io.Writer, v any) error {
	e := json.NewEncoder(JSONWriter(w))
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

package terminal_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/terminal"
)

func TestColorJSON(t *testing.T) {
	names := strings.NewReplacer("\x1b[34;1m", "<key>", "\x1b[32m", "<string>", "\x1b[2m", "<null>", "\x1b[0m", "</>")
	escapes := regexp.MustCompile("\x1b\\[[0-9;]*m")
	for text, want := range map[string]string{
		"":                                 "",
		`1e2`:                              `1e2`,
		`"a"`:                              `<string>"a"</>`,
		`"a\"b: null"`:                     `<string>"a\"b: null"</>`,
		"{\n  \"a\" : null, \"b\":[true]}": "{\n  <key>\"a\"</> : <null>null</>, <key>\"b\"</>:[true]}",
		`["\\",":"]`:                       `[<string>"\\"</>,<string>":"</>]`,
		`"no end \`:                        `<string>"no end \</>`,
	} {
		got := string(terminal.ColorJSON([]byte(text)))
		if names.Replace(got) != want {
			t.Errorf("%s: got %s, want %s", text, names.Replace(got), want)
		}
		if plain := escapes.ReplaceAllString(got, ""); plain != text {
			t.Errorf("%s: without colours, it is %s", text, plain)
		}
	}
}

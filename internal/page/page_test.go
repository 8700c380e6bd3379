package page

import (
	"errors"
	"strings"
	"testing"
)

// A page allows its own style and script and nothing else. Only the body and the parts
// have placeholders.
func TestWrite(t *testing.T) {
	p := Page{Body: "<h1>${title}</h1>\n${list}\n", Buttons: "<button>B</button>\n", Style: "p { color: red; }", Script: "const s = `${text}`;"}
	var b strings.Builder
	m := NewMarkup(&b)
	err := p.Write(m, func(name string) error {
		m.Text("<" + name + "${title}>")
		return nil
	})
	if err := errors.Join(err, m.Flush()); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, tag := range []string{"style", "script"} {
		_, rest, _ := strings.Cut(text, "<"+tag+">")
		inside, _, _ := strings.Cut(rest, "</"+tag+">")
		if policy := tag + "-src " + strings.ReplaceAll(source(inside), "'", "&#39;"); !strings.Contains(text, policy) {
			t.Errorf("the policy does not allow the %s", tag)
		}
	}
	for _, want := range []string{"<title>&lt;title${title}&gt;</title>", "<h1>&lt;title${title}&gt;</h1>", "<div class=\"end\">\n<button>B</button>\n</div>", "p { color: red; }</style>", "`${text}`;</script>", `id="data">&lt;data${title}&gt;</script>`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	unknown := errors.New("unknown")
	if err := p.Write(m, func(string) error { return unknown }); !errors.Is(err, unknown) {
		t.Errorf("got %v", err)
	}
}

// No text ends the element of the data.
func TestJSON(t *testing.T) {
	got, err := JSON(map[string]string{"</script>": "a\u202eb\n"})
	if want := `{"\u003c/script\u003e":"a\u202eb\n"}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
}

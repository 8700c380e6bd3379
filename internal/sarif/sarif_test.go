package sarif

import (
	"testing"
)

func TestURI(t *testing.T) {
	for path, want := range map[string]string{
		"catalogs/web01.json": "catalogs/web01.json", "/var/a b.json": "/var/a%20b.json", `catalogs\web01.json`: "catalogs/web01.json",
		"a:b.json": "./a:b.json", "": "", `C:\catalogs\web 01.json`: "file:///C:/catalogs/web%2001.json", "d:/web01.json": "file:///d:/web01.json",
	} {
		if got := URI(path); got != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
}

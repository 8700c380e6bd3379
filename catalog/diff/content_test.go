package diff_test

import (
	"fmt"
	"strings"
	"testing"
)

// A file that is copied has its content in the catalog: the change is one of that file, and has the effect.
func TestCopiedContent(t *testing.T) {
	const (
		manifest = `,"file":"/m.pp","line":7`
		from     = manifest + `,"content_file":"/files/a"`
		source   = `"source":"puppet:///modules/m/a"`
		moved    = `"source":"puppet:///modules/m/b"`
	)
	for _, tt := range []struct{ name, old, new, want string }{
		{"the same", resource("File[/a]", source+`,"content":"x"`, from), resource("File[/a]", source+`,"content":"x"`, from), ""},
		{"the same in another file", resource("File[/a]", source+`,"content":"x"`, from), resource("File[/a]", source+`,"content":"x"`, manifest, `,"content_file":"/files/b"`), ""},
		{"content", resource("File[/a]", source+`,"content":"x\ny\nz"`, from), resource("File[/a]", source+`,"content":"x\ny\nZ"`, from), "change content /files/a:3 write-file"},
		{"another file", resource("File[/a]", source+`,"content":"x"`, from), resource("File[/a]", moved+`,"content":"y"`, from), "change content /files/a:1 write-file\nchange value /m.pp:7"},
		{"another file with the same content", resource("File[/a]", source+`,"content":"x"`, from), resource("File[/a]", moved+`,"content":"x"`, from), "change value /m.pp:7 the file has the same content"},
		{"a template becomes a file", resource("File[/a]", `"content":"x"`, manifest), resource("File[/a]", source+`,"content":"x"`, from), "add value /m.pp:7 the file has the same content"},
		{"a large file", resource("File[/a]", source+`,"checksum_value":"1"`, from), resource("File[/a]", source+`,"checksum_value":"2"`, from), "change value /files/a:0 write-file"},
		{"the file goes", resource("File[/a]", source+`,"content":"x"`, from), resource("File[/a]", source, manifest), "remove value /m.pp:7 fail"},
		{"the file is not known any more", resource("File[/a]", source+`,"content":"x"`, from), resource("File[/a]", `"source":"/local"`, manifest), "remove value /m.pp:7\nchange value /m.pp:7 write-file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var lines []string
			for _, c := range compare(t, tt.old, tt.new).Changes {
				line := fmt.Sprintf("%s %s %s:%d %s", c.Op, c.Kind, c.File, c.Line, c.Detail)
				for _, e := range c.Effects {
					line += " " + e.Effect
				}
				lines = append(lines, strings.Join(strings.Fields(line), " "))
			}
			if got := strings.Join(lines, "\n"); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

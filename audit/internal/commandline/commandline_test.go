package commandline

import (
	"slices"
	"testing"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/assign"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// found is the values in a command line, and what it writes to files.
type found struct {
	text string // the searched one
	*lists
}

type lists struct {
	values, files []string
	spots         [][2]string // values, and the parts of the text that they are
}

func (f *found) Judge(a assign.Assignment) {
	f.values = append(f.values, a.Value)
	f.spots = append(f.spots, [2]string{a.Value, f.text[a.Start:a.End]})
}

func (f *found) Part(_, _ int, text string) Sink { return &found{text, f.lists} }

func (f *found) Write(_, _ int, text, file string) { f.files = append(f.files, file+": "+text) }

// search returns what is found in a script, and the words that are left.
func search(s string) (*found, Words) {
	f, words, has := &found{s, &lists{}}, Words{}, alphabet.ContainedIn(s)
	t := Text{S: s, Names: verdict.NewVocabulary(verdict.Names{}), Has: &has, IsScript: true, Sink: f, Words: &words}
	t.SearchScript()
	return f, words
}

// TestCommandsInsideEachOther checks that the words of nested command lines do not
// overwrite each other.
func TestCommandsInsideEachOther(t *testing.T) {
	const secret = "Kx7mP2qR9v"
	for _, line := range []string{
		`mysql -u root -p"$(echo one two three)" --password=Kx7mP2qR9v -e 'sh -c "a b c d"'`,
		`(echo 'Kx7mP2qR9v'; echo 'Kx7mP2qR9v') | passwd --stdin root`,
		`sh -c 'mysql --password=Kx7mP2qR9v -e "x y z"' a b c | cat`,
	} {
		f, words := search(line)
		if !slices.Contains(f.values, secret) {
			t.Errorf("nothing is found in %s", line)
		}
		if len(words.list) != 0 {
			t.Errorf("%d words are left of %s", len(words.list), line)
		}
	}
}

// TestWrite checks that text written to a file is handed out with the path of the file.
func TestWrite(t *testing.T) {
	for line, want := range map[string][]string{
		`echo "db1:*:*:app:walrus" > /root/.pgpass`:          {"/root/.pgpass: db1:*:*:app:walrus"},
		`printf 'a = b' | tee -a /etc/app.conf >/dev/null`:   {"/etc/app.conf: a = b"},
		`echo walrus >/etc/app.conf`:                         {"/etc/app.conf: walrus"},
		"cat > /etc/app.conf <<EOF\na = b\nEOF":              {"/etc/app.conf: a = b\n"},
		"sudo tee '/etc/app.conf' <<X >/dev/null\nwalrus\nX": {"/etc/app.conf: walrus\n"},
		`echo walrus > file`:                                 nil,
		`echo walrus >&2`:                                    nil,
		`cat x > /etc/app.conf`:                              nil,
		`echo $(cat x) > /etc/app.conf`:                      nil,
		`echo walrus | tee`:                                  nil,
		`echo walrus > /dev/null`:                            nil,
		`echo walrus > $file`:                                nil,
	} {
		if f, _ := search(line); !slices.Equal(f.files, want) {
			t.Errorf("%s: got %q", line, f.files)
		}
	}
}

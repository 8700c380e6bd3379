// Package varied generates catalogs that differ from those of package gen in everything that may
// make a command fast or slow by chance: words are drawn at random, values are nested Hashes and
// Arrays, keys have no pattern, and titles are sentences. It shares no code with package gen.
//
//	Catalog  writes a catalog
//	Copied   a real catalog, copied until it has a size
//
// Equal arguments produce equal bytes.
package varied

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
)

// bytesPerSecret is the length of the document for each secret.
const bytesPerSecret = 44 << 10

// Catalog writes a catalog of about so many bytes, as rich data in JSON. One secret in two is a
// Sensitive, the others are listed, and each has a copy in another resource.
func Catalog(w io.Writer, seed uint64, size int) error {
	d := &drawer{Rand: rand.New(rand.NewPCG(seed, 0x7661_7279)), out: bufio.NewWriterSize(w, 1<<16)}
	d.print(`{"name":"node.site.example","version":1,"environment":"production","classes":["main"],"resources":[{"type":"Class","title":"Main","parameters":{}}`)
	for d.n < size {
		d.resource()
	}
	d.print(`],"edges":[`)
	for i := range d.resources {
		if i > 0 {
			d.print(",")
		}
		d.print(`{"source":"Class[Main]","target":"Item[item %d]"}`, i)
	}
	d.print(`]}`)
	return d.out.Flush()
}

type drawer struct {
	*rand.Rand
	out       *bufio.Writer
	n         int // bytes written
	resources int
	secrets   int
	pending   string // a secret that has no copy yet
}

func (d *drawer) print(format string, args ...any) {
	n, _ := fmt.Fprintf(d.out, format, args...) // Flush has the error
	d.n += n
}

// word returns letters drawn at random, which are mostly pronounceable.
func (d *drawer) word() string {
	const consonants, vowels = "bcdfghjklmnpqrstvwz", "aeiouy"
	b := make([]byte, 2+d.IntN(9))
	for i := range b {
		from := consonants
		if i%2 == d.IntN(8)/7 {
			from = vowels
		}
		b[i] = from[d.IntN(len(from))]
	}
	return string(b)
}

// text returns up to so many words, and the pending secret between them.
func (d *drawer) text(words int) string {
	all := make([]string, 1+d.IntN(words))
	for i := range all {
		all[i] = d.word()
		switch d.IntN(12) {
		case 0:
			all[i] += fmt.Sprint(d.IntN(1 << 16))
		case 1:
			all[i] = strings.ToUpper(all[i][:1]) + all[i][1:]
		case 2:
			all[i] = "\"" + all[i] + "\"\n"
		}
	}
	if d.pending != "" && len(all) > 4 {
		all[d.IntN(len(all))], d.pending = d.pending, ""
	}
	return strings.Join(all, " ")
}

func (d *drawer) quoted(text string) string {
	b, _ := json.Marshal(text) // never fails for a string
	return string(b)
}

// value returns a value of at most so many levels.
func (d *drawer) value(levels int) string {
	kind := d.IntN(10)
	if levels == 0 {
		kind = 6 + d.IntN(4)
	}
	var parts []string
	switch kind {
	case 0, 1, 2:
		for i := range 1 + d.IntN(6) {
			parts = append(parts, d.quoted(fmt.Sprint(d.word(), i))+":"+d.value(levels-1))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case 3, 4:
		for range 1 + d.IntN(6) {
			parts = append(parts, d.value(levels-1))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case 5:
		return d.quoted(d.text(120))
	case 6:
		return fmt.Sprint(d.IntN(1 << 30))
	case 7:
		return []string{"true", "false", "null", "1.5"}[d.IntN(4)]
	default:
		return d.quoted(d.text(6))
	}
}

// resource writes a resource, with a secret if the document is long enough for another one.
func (d *drawer) resource() {
	var parameters []string
	for i := range 2 + d.IntN(6) {
		parameters = append(parameters, d.quoted(fmt.Sprint(d.word(), "_", i))+":"+d.value(3))
	}
	listed := ""
	if d.n > d.secrets*bytesPerSecret {
		secret := d.secret()
		if d.secrets%2 == 0 {
			parameters = append(parameters, `"credential":{"__ptype":"Sensitive","__pvalue":`+d.quoted(secret)+`}`)
		} else {
			parameters = append(parameters, `"credential":`+d.quoted(secret))
			listed = `,"sensitive_parameters":["credential"]`
		}
		d.secrets++
		d.pending = secret
	}
	d.print(`,{"type":"Item","title":"item %d","tags":["item",%s],"file":"/site/manifests/%s.pp","line":%d,"exported":false,"parameters":{%s}%s}`,
		d.resources, d.quoted(d.word()), d.word(), 1+d.IntN(400), strings.Join(parameters, ","), listed)
	d.resources++
}

func (d *drawer) secret() string {
	const characters = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789%&!+-"
	b := make([]byte, 10+d.IntN(14))
	for i := range b {
		b[i] = characters[d.IntN(len(characters))]
	}
	return string(b)
}

// Copied returns a catalog of about so many bytes: that of real, with its resources again and
// again under other titles. Its edges stay as they are.
func Copied(real []byte, size int) ([]byte, error) {
	var catalog struct{ Resources json.RawMessage }
	var resources []json.RawMessage
	if err := json.Unmarshal(real, &catalog); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(catalog.Resources, &resources); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for round := 0; b.Len() == 0 || b.Len() < size; round++ {
		for _, r := range resources {
			var old struct{ Title json.RawMessage }
			if err := json.Unmarshal(r, &old); err != nil {
				return nil, err
			}
			title, found := bytes.CutSuffix(old.Title, []byte{'"'})
			if !found {
				return nil, fmt.Errorf("%s: the title is no string", r)
			}
			b.WriteByte(',')
			b.Write(bytes.Replace(r, old.Title, fmt.Appendf(nil, `%s (%d)"`, title, round), 1))
		}
	}
	b.WriteByte(']')
	b.Bytes()[0] = '['
	return bytes.Replace(real, catalog.Resources, b.Bytes(), 1), nil
}

package intern

import "encoding/binary"

// Facts are texts under names, in the memory of one string: most resources have few, and there
// are many resources. The zero value has none.
type Facts string

// AppendFact appends the texts of a name to the bytes of Facts. form is a byte for the caller.
func AppendFact(facts []byte, name string, form byte, texts ...string) []byte {
	facts = append(appendText(facts, name), form)
	facts = binary.AppendUvarint(facts, uint64(len(texts)))
	for _, text := range texts {
		facts = appendText(facts, text)
	}
	return facts
}

func appendText(dst []byte, text string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

// find returns the form of a name, the number of its texts, and the facts that begin with them.
func (f Facts) find(name string) (form byte, n int, rest Facts, ok bool) {
	for f != "" {
		var found string
		found, f = f.text()
		form, f = f[0], f[1:]
		n, f = f.number()
		if found == name {
			return form, n, f, true
		}
		for range n {
			_, f = f.text()
		}
	}
	return 0, 0, "", false
}

func (f Facts) text() (text string, rest Facts) {
	n, f := f.number()
	return string(f[:n]), f[n:]
}

func (f Facts) number() (n int, rest Facts) {
	for shift := 0; ; shift += 7 {
		b := f[0]
		f = f[1:]
		n |= int(b&0x7f) << shift
		if b < 0x80 {
			return n, f
		}
	}
}

// Form returns the form of a name, and false if there are no texts under it.
func (f Facts) Form(name string) (form byte, ok bool) {
	form, _, _, ok = f.find(name)
	return form, ok
}

// Texts returns the texts of a name.
func (f Facts) Texts(name string) []string {
	_, n, rest, _ := f.find(name)
	if n == 0 {
		return nil
	}
	texts := make([]string, n)
	for i := range texts {
		texts[i], rest = rest.text()
	}
	return texts
}

// First returns the first text of a name, or "".
func (f Facts) First(name string) string {
	_, n, rest, _ := f.find(name)
	if n == 0 {
		return ""
	}
	text, _ := rest.text()
	return text
}

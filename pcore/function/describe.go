package function

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// describe tells, in the reference's words, why no signature accepts a call.
func describe(function string, signatures []*Signature, args []pcore.Value, block Block) string {
	label := "'" + function + "'"
	reasons := make([]reason, len(signatures))
	for i, s := range signatures {
		reasons[i] = s.reject(args, block)
	}
	if one, ok := merge(reasons, args); ok {
		return label + one.String()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The function %s was called with arguments it does not accept. It expects one of:", label)
	for i, s := range signatures {
		fmt.Fprintf(&b, "\n  %s\n    rejected:%s", s, reasons[i])
	}
	return b.String()
}

// reason is why a signature does not accept a call: the number of arguments,
// one of them, or the block.
type reason struct {
	kind        reasonKind
	param       string
	index       int
	types       []pcore.Type
	least, most int
	text        string
}

type reasonKind uint8

const (
	wrongCount reasonKind = iota + 1
	wrongArgument
	missingBlock
	unexpectedBlock
	wrongBlock
	wrongBlockCount
)

func (s *Signature) reject(args []pcore.Value, block Block) reason {
	least, most := s.Arity()
	if len(args) < least || most >= 0 && len(args) > most {
		return reason{kind: wrongCount, least: least, most: most, index: len(args)}
	}
	for i, v := range args {
		if p := s.at(i); !pcore.Contains(p.Type, v) {
			return reason{kind: wrongArgument, param: p.Name, index: i, types: []pcore.Type{p.Type}, text: Mismatch(p.Type, v)}
		}
	}
	switch {
	case block == nil:
		return reason{kind: missingBlock}
	case s.Block == nil:
		return reason{kind: unexpectedBlock}
	default:
		return s.rejectBlock(block.Signature())
	}
}

// rejectBlock tells what is wrong with a block: mostly how many parameters it
// has.
func (s *Signature) rejectBlock(given *Signature) reason {
	least, most := given.Arity()
	if c, ok := s.Block.Type.(*pcore.CallableType); ok && c.Params() != nil {
		n := len(c.Params().Types())
		if size := c.Params().Size(); size != nil {
			from, _ := size.From().Get()
			n = int(from)
		}
		if n < least || most >= 0 && n > most {
			return reason{kind: wrongBlockCount, least: n, most: n, text: numbered(least, most, "none")}
		}
	}
	return reason{kind: wrongBlock, text: "expects " + article(s.Block.Type.String()) + " value, got " + given.Type().String()}
}

// merge makes one reason of those that all signatures give for the same place.
func merge(reasons []reason, args []pcore.Value) (reason, bool) {
	all := reasons[0]
	for _, r := range reasons[1:] {
		if r.kind != all.kind || r.param != all.param || r.index != all.index || r.kind == wrongBlock && r.text != all.text {
			return reason{}, false
		}
		all.least = min(all.least, r.least)
		if all.most = max(all.most, r.most); r.most < 0 {
			all.most = -1
		}
		all.types = append(all.types, r.types...)
	}
	if all.kind == wrongArgument && len(reasons) > 1 {
		all.text = Mismatch(pcore.NewVariantType(all.types...), args[all.index])
	}
	return all, true
}

// String returns the reason as it stands after the name of the function.
func (r reason) String() string {
	switch r.kind {
	case wrongCount:
		return " expects " + counted(r.least, r.most, "no") + ", got " + numbered(r.index, r.index, "none")
	case wrongArgument:
		return " parameter '" + r.param + "' " + r.text
	case missingBlock:
		return " expects a block"
	case unexpectedBlock:
		return " does not expect a block"
	case wrongBlockCount:
		return " block expects " + counted(r.least, r.most, "no") + ", got " + r.text
	default:
		return " block " + r.text
	}
}

// counted writes a number of arguments, or a range of numbers.
func counted(least, most int, zero string) string {
	s := " arguments"
	if least == 1 && (most == 1 || most < 0) || least == 0 && most == 1 {
		s = " argument"
	}
	return numbered(least, most, zero) + s
}

func numbered(least, most int, zero string) string {
	switch {
	case least == most && least == 0:
		return zero
	case least == most:
		return strconv.Itoa(least)
	case least == 0 && most < 0:
		return "unlimited"
	case least == 0:
		return fmt.Sprintf("at most %d", most)
	case most < 0:
		return fmt.Sprintf("at least %d", least)
	default:
		return fmt.Sprintf("between %d and %d", least, most)
	}
}

// Mismatch tells, in the words of the reference, why v is no instance of t.
func Mismatch(t pcore.Type, v pcore.Value) string {
	expected := shortNames(t)
	got := pcore.Infer(v).Name()
	switch len(expected) {
	case 1:
		return fmt.Sprintf("expects %s value, got %s", article(expected[0]), got)
	case 2:
		return fmt.Sprintf("expects a value of type %s or %s, got %s", expected[0], expected[1], got)
	default:
		last := len(expected) - 1
		return fmt.Sprintf("expects a value of type %s, or %s, got %s", strings.Join(expected[:last], ", "), expected[last], got)
	}
}

func shortNames(t pcore.Type) []string {
	switch t := t.(type) {
	case *pcore.VariantType:
		var names []string
		for _, u := range t.Types() {
			names = append(names, shortNames(u)...)
		}
		return names
	case *pcore.OptionalType:
		if t.Elem() == nil {
			return []string{"Undef"}
		}
		return append([]string{"Undef"}, shortNames(t.Elem())...)
	default:
		return []string{t.String()}
	}
}

func article(s string) string {
	if s != "" && strings.ContainsRune("AEIOUY", rune(s[0])) {
		return "an " + s
	}
	return "a " + s
}

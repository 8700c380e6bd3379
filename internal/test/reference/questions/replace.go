package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

const unknownType, listOfUnknown = `{"__ptype":"Nope","__pvalue":`, `["Nope",`

var (
	typeName = regexp.MustCompile(`\b(\w+::)*\w+\b`)
	// expanded matches the text of an alias with its type.
	expanded = regexp.MustCompile(`^("Questions::\w+) = [^"]*`)
	// subtypes are assignable to the recursive aliases, and are not recursive. testdata/subtypes.pp defines them as aliases, because
	// the common type of an alias and an Array is no Array.
	subtypes = map[string]string{"Data": "String", "RichData": "Regexp", "Oracle::Tree": "Array[Integer]", "Oracle::Json": "String"}
	objects  = regexp.MustCompile(`\b(Object|Deferred|Error|Oracle::(Point|Named|Host|Boxed|Secret|Line))\b`)
	// printedNever matches the replacement of an Init, as Puppet prints it.
	printedNever = regexp.MustCompile(`Init\[Never(\d+_\d+)\w*, 1\]`)
	// unansweredInit matches Puppet's errors about an Init; it names the type that has no constructor, or the Init.
	unansweredInit = regexp.MustCompile(`Creation of new instance of type '(?s:(.*?))' is not supported|The type '(?s:(.*?))' does not represent a valid set of parameters`)
)

// neverInit begins an Init that has no instances, and for which Puppet has an answer.
const neverInit = "Init[Object[{name => 'Never"

// withoutInit replaces the Inits in a question to which Puppet's error belongs, and no other ones, by Inits that have no instances.
// Equal ones have the same replacement. A type with an Iterator is not equal to itself: each evaluation makes another Iterator.
func withoutInit(typeOf func(string) (pcore.Type, error), number int, answered []byte) (step, bool) {
	inits := initsOf(typeOf, answered)
	refused := refusedBy(typeOf, answered, inits)
	if len(refused) == 0 {
		return step{}, false
	}
	var (
		different    []pcore.Type
		replacements = map[string]string{} // by the texts of the Inits
		once         = map[string]bool{}
		reverted     = map[string]string{}
	)
	for _, text := range slices.Sorted(maps.Keys(inits)) {
		t := inits[text]
		if !slices.Contains(refused, pcore.Type(t)) {
			continue
		}
		again, err := typeOf(text)
		once[text] = err == nil && !pcore.EqualTypes(t, again)
		i := slices.IndexFunc(different, func(u pcore.Type) bool { return pcore.EqualTypes(t, u) })
		if i < 0 {
			i = len(different)
			different = append(different, t)
		}
		replacements[text] = fmt.Sprintf("%d_%d", number, i)
		reverted[replacements[text]] = inJSON(t.String())
	}
	return step{
		question: func(text string) string {
			n := 0
			return replaceInits(text, func(init string) (string, bool) {
				name, ok := replacements[init]
				if once[init] {
					n++
					name += fmt.Sprintf("_%d_%d", crc32.ChecksumIEEE([]byte(text)), n)
				}
				return fmt.Sprintf("%[1]s%[2]s', attributes => {a => Runtime[go, 'Nope%[2]s'], b => Integer}}], 1]", neverInit, name), ok
			})
		},
		revert: func(text string) string {
			return printedNever.ReplaceAllStringFunc(text, func(never string) string {
				return cmp.Or(reverted[printedNever.FindStringSubmatch(never)[1]], never)
			})
		},
	}, true
}

// initsOf returns the Inits with parameters in a question, at any depth, by their texts.
func initsOf(typeOf func(string) (pcore.Type, error), line []byte) map[string]*pcore.InitType {
	all := map[string]*pcore.InitType{}
	var collect func(text string) string
	collect = func(text string) string {
		if t, err := typeOf(text); err == nil {
			if t, ok := t.(*pcore.InitType); ok && t.Elem() != nil {
				all[text] = t
			}
		}
		return replaceBracketed(text[len("Init["):], "Init[", ']', collect)
	}
	replaceBracketed(asked(line), "Init[", ']', collect)
	return all
}

// refusedBy returns the Inits that Puppet's errors name: by the text of their types, or by the types that pcat reads from it.
func refusedBy(typeOf func(string) (pcore.Type, error), answered []byte, inits map[string]*pcore.InitType) []pcore.Type {
	var all []pcore.Type
	is := func(t pcore.Type, text string) bool {
		if t.String() == text || pcore.TypeText(t) == text {
			return true
		}
		read, err := typeOf(text)
		return err == nil && read.String() == t.String()
	}
	for _, m := range unansweredInit.FindAllStringSubmatch(errorsIn(answered), -1) {
		for _, t := range inits {
			// Not every argument of an Init can be read.
			_, arguments, _ := strings.Cut(t.String(), "Init["+t.Elem().String())
			elem, ok := strings.CutSuffix(strings.TrimPrefix(m[2], "Init["), arguments)
			if m[1] != "" && is(t.Elem(), m[1]) || m[2] != "" && ok && is(t.Elem(), elem) {
				all = append(all, t)
			}
		}
	}
	return all
}

// errorsIn returns the errors among Puppet's answers, a line each.
func errorsIn(answered []byte) string {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(answered, &fields); err != nil {
		return ""
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		var answer struct{ Error string }
		if err := json.Unmarshal(fields[name], &answer); err == nil && answer.Error != "" {
			b.WriteString(answer.Error + "\n")
		}
	}
	return b.String()
}

// replaceInits replaces the Inits that have a replacement, also inside of Inits without one.
func replaceInits(text string, replacement func(string) (string, bool)) string {
	return replaceBracketed(text, "Init[", ']', func(init string) string {
		if by, ok := replacement(init); ok {
			return by
		}
		return "Init[" + replaceInits(init[len("Init["):], replacement)
	})
}

// inJSON returns a text as it is inside of a String of JSON.
func inJSON(text string) string {
	quoted, _ := json.Marshal(text) //nolint:errchkjson // a string is always written
	return string(quoted[1 : len(quoted)-1])
}

// withSubtypes replaces recursive aliases by other ones.
func withSubtypes(text string) string {
	return typeName.ReplaceAllStringFunc(text, func(name string) string {
		if _, ok := subtypes[name]; ok {
			return "Questions::" + strings.TrimPrefix(name, "Oracle::")
		}
		return name
	})
}

// withoutAliases replaces recursive aliases by types.
func withoutAliases(text string) string {
	return typeName.ReplaceAllStringFunc(text, func(name string) string { return cmp.Or(subtypes[name], name) })
}

// withoutObjects replaces Object types, which Ruby cannot ask for their elements, by SemVer, which has none.
func withoutObjects(text string) string {
	const begin = "Object[{"
	text = replaceBracketed(text, begin, ']', func(object string) string {
		if strings.HasPrefix("Init["+object, neverInit) {
			return "\x00" + object[len("Object"):]
		}
		return "SemVer"
	})
	return strings.ReplaceAll(objects.ReplaceAllString(text, "SemVer"), "\x00", "Object")
}

// withNames names the Object types without a name, of which Ruby cannot make a constructor.
func withNames(text string) string {
	return replaceBracketed(text, "Object[{attributes", ']', func(object string) string {
		rest := object[len("Object[{"):]
		return fmt.Sprintf("Object[{name => 'Named%d', ", crc32.ChecksumIEEE([]byte(object))) + withNames(rest)
	})
}

// replaceBracketed replaces each part of a text that begins with a text with a bracket, and ends with its closing
// one; the innermost parts are not replaced again.
func replaceBracketed(text, begin string, closing byte, by func(string) string) string {
	opening := map[byte]byte{']': '[', '}': '{'}[closing]
	var b strings.Builder
	for {
		i := strings.Index(text, begin)
		if i < 0 {
			return b.String() + text
		}
		depth, end := 0, i
		for end < len(text) {
			switch text[end] {
			case opening:
				depth++
			case closing:
				depth--
			}
			end++
			if depth == 0 && end >= i+len(begin) {
				break
			}
		}
		b.WriteString(text[:i] + by(text[i:end]))
		text = text[end:]
	}
}

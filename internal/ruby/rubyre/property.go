package rubyre

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// class is a named set of characters: \d, [[:alpha:]], \p{Alpha}.
type class int

const (
	classAlnum class = iota
	classAlpha
	classASCII
	classBlank
	classCntrl
	classDigit
	classGraph
	classLower
	classPrint
	classPunct
	classSpace
	classUpper
	classWord
	classXDigit
)

// posixClass returns the class of [[:name:]].
func posixClass(name string) (class, bool) {
	names := [...]string{"alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "word", "xdigit"}
	i := slices.Index(names[:], name)
	return class(i), i >= 0
}

// classSets computes the characters of each class once.
//
//nolint:gochecknoglobals // a table of sync.OnceValue, never assigned
var classSets = func() (sets [classXDigit + 1]func() runeSet) {
	for c := range sets {
		sets[c] = sync.OnceValue(class(c).compute)
	}
	return sets
}()

// runes returns the Unicode characters of c.
func (c class) runes() runeSet { return classSets[c]() }

// members returns the characters of c, with ascii only the ASCII ones, with
// negative their complement.
func (c class) members(negative, ascii bool) runeSet {
	s := c.runes()
	if ascii {
		s = s.intersect(asciiRunes())
	}
	if negative {
		s = s.negate()
	}
	return s
}

func (c class) compute() runeSet {
	switch c {
	case classAlnum:
		return classAlpha.compute().union(tableSet(unicode.Nd))
	case classAlpha:
		return tableSet(unicode.L, unicode.Nl, unicode.Other_Alphabetic)
	case classASCII:
		return asciiRunes()
	case classBlank:
		return tableSet(unicode.Zs).union(runeSet{{'\t', '\t'}})
	case classCntrl:
		return tableSet(unicode.Cc)
	case classDigit:
		return tableSet(unicode.Nd)
	case classGraph:
		// All assigned characters except space and control characters.
		return assigned().intersect(tableSet(unicode.White_Space, unicode.Cc, unicode.Cs).negate())
	case classLower:
		return tableSet(unicode.Ll, unicode.Other_Lowercase)
	case classPrint:
		return classGraph.compute().union(tableSet(unicode.Zs))
	case classPunct:
		// POSIX includes the ASCII symbols.
		return tableSet(unicode.P).union(newSet(
			runeRange{'$', '$'}, runeRange{'+', '+'}, runeRange{'<', '>'}, runeRange{'^', '^'},
			runeRange{'`', '`'}, runeRange{'|', '|'}, runeRange{'~', '~'}))
	case classSpace:
		return tableSet(unicode.White_Space)
	case classUpper:
		return tableSet(unicode.Lu, unicode.Other_Uppercase)
	case classWord:
		return classAlpha.compute().union(tableSet(unicode.M, unicode.Nd, unicode.Pc))
	default:
		return newSet(runeRange{'0', '9'}, runeRange{'A', 'F'}, runeRange{'a', 'f'})
	}
}

// assigned returns all characters assigned in Unicode.
func assigned() runeSet {
	return tableSet(unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs)
}

// property returns the characters of \p{name}. If the property is not
// supported, known reports whether Ruby supports it.
func property(name string) (set runeSet, supported, known bool) {
	name = squeeze(name)
	if c, ok := posixClass(name); ok {
		if c == classPunct {
			return tableSet(unicode.P), true, true
		}
		return c.runes(), true, true
	}
	switch name {
	case "any":
		return allRunes(), true, true
	case "assigned":
		return assigned(), true, true
	case "unassigned", "cn":
		return assigned().negate(), true, true
	case "c", "other":
		return tableSet(unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs).union(assigned().negate()), true, true
	case "lc", "casedletter":
		return tableSet(unicode.Lu, unicode.Ll, unicode.Lt), true, true
	case "alphabetic":
		return classAlpha.runes(), true, true
	case "lowercase":
		return classLower.runes(), true, true
	case "uppercase":
		return classUpper.runes(), true, true
	case "xposixpunct":
		return classPunct.runes(), true, true
	case "math":
		return tableSet(unicode.Sm, unicode.Other_Math), true, true
	case "wspace":
		return classSpace.runes(), true, true
	}
	if t := findTable(unalias(name)); t != nil {
		return tableSet(t), true, true
	}
	return nil, false, rubyProperty(name)
}

// squeeze removes the parts of a property's name that are not significant.
func squeeze(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -_", r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// findTable returns Go's table of the general category, script or binary
// property with the given squeezed name, or nil.
func findTable(name string) *unicode.RangeTable {
	is := func(known string) bool {
		return strings.EqualFold(known, name) || strings.ContainsRune(known, '_') && squeeze(known) == name
	}
	for alias, category := range unicode.CategoryAliases {
		if is(alias) {
			return unicode.Categories[category]
		}
	}
	for _, tables := range []map[string]*unicode.RangeTable{unicode.Categories, unicode.Scripts, unicode.Properties} {
		for known, table := range tables {
			if is(known) {
				return table
			}
		}
	}
	return nil
}

// unalias returns the long form of a binary property's short name, both
// squeezed, and other names unchanged.
func unalias(name string) string {
	switch name {
	case "ahex":
		return "asciihexdigit"
	case "bidic":
		return "bidicontrol"
	case "dep":
		return "deprecated"
	case "dia":
		return "diacritic"
	case "ext":
		return "extender"
	case "hex":
		return "hexdigit"
	case "idsb":
		return "idsbinaryoperator"
	case "idst":
		return "idstrinaryoperator"
	case "ideo":
		return "ideographic"
	case "joinc":
		return "joincontrol"
	case "loe":
		return "logicalorderexception"
	case "nchar":
		return "noncharactercodepoint"
	case "oalpha":
		return "otheralphabetic"
	case "odi":
		return "otherdefaultignorablecodepoint"
	case "ogrext":
		return "othergraphemeextend"
	case "oidc":
		return "otheridcontinue"
	case "oids":
		return "otheridstart"
	case "olower":
		return "otherlowercase"
	case "omath":
		return "othermath"
	case "oupper":
		return "otheruppercase"
	case "patsyn":
		return "patternsyntax"
	case "patws":
		return "patternwhitespace"
	case "pcm":
		return "prependedconcatenationmark"
	case "qmark":
		return "quotationmark"
	case "ri":
		return "regionalindicator"
	case "sd":
		return "softdotted"
	case "sterm":
		return "sentenceterminal"
	case "term":
		return "terminalpunctuation"
	case "uideo":
		return "unifiedideograph"
	case "vs":
		return "variationselector"
	}
	return name
}

// rubyProperty reports whether Ruby may support a property with the given
// squeezed name that Go has no table for: ages, blocks, grapheme breaks,
// derived and emoji properties, and the short names of scripts.
func rubyProperty(name string) bool {
	switch name {
	case "caseignorable", "ci", "cased", "changeswhencasefolded", "cwcf", "changeswhencasemapped", "cwcm",
		"changeswhenlowercased", "cwl", "changeswhentitlecased", "cwt", "changeswhenuppercased", "cwu",
		"defaultignorablecodepoint", "di", "emoji", "emojicomponent", "emojimodifier", "emojimodifierbase",
		"emojipresentation", "ebase", "ecomp", "emod", "epres", "extendedpictographic", "extpict",
		"graphemebase", "grbase", "graphemeextend", "grext", "graphemelink", "grlink",
		"idcontinue", "idc", "idstart", "ids", "xidcontinue", "xidc", "xidstart", "xids", "unknown":
		return true
	}
	for _, prefix := range []string{"age=", "in", "graphemeclusterbreak="} {
		if strings.HasPrefix(name, prefix) && len(name) > len(prefix) {
			return true
		}
	}
	return len(name) == 4 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") == ""
}

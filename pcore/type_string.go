package pcore

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/pcatdev/pcat/internal/ruby/literal"
)

// StringType describes all strings, the strings of a range of lengths, or
// exactly one string. The language has no notation for a single string: it is
// the inferred type of a string.
type StringType struct {
	typeKind
	size    *IntegerType
	literal *string
	isBytes bool // the literal is a byte string, which an agent makes of a Binary
}

// NewStringType returns the type of the strings whose length in characters is
// in size; nil means any length. Bounds below 0 count as 0.
func NewStringType(size *IntegerType) *StringType { return &StringType{size: size.asSize()} }

// newStringValueType returns the type of a single string.
func newStringValueType(value string) *StringType {
	both := struct { // a single allocation for both
		typ   StringType
		value string
	}{value: value}
	both.typ.literal = &both.value
	return &both.typ
}

// typeName returns "String".
func (*StringType) typeName() string { return "String" }

func (t *StringType) String() string { return formatType(t) }

// EnumType describes the strings of a set. The empty set accepts every string
// type, but has no instances.
type EnumType struct {
	typeKind
	values []string
	fold   bool
}

// NewEnumType returns the type of the given strings. It sorts them and removes
// duplicates. With fold, the case of ASCII letters is ignored.
func NewEnumType(fold bool, values ...string) *EnumType {
	sorted := slices.Clone(values)
	sort.Strings(sorted)
	return &EnumType{values: slices.Compact(sorted), fold: fold}
}

// Values returns a copy of the strings, sorted.
func (t *EnumType) Values() []string { return slices.Clone(t.values) }

// typeName returns "Enum".
func (*EnumType) typeName() string { return "Enum" }

func (t *EnumType) String() string { return formatType(t) }

func (t *EnumType) has(s string) bool {
	if t.fold {
		return slices.ContainsFunc(t.values, func(v string) bool { return equalFoldASCII(v, s) })
	}
	_, found := slices.BinarySearch(t.values, s)
	return found
}

// RegexpType describes all regular expressions, or exactly one.
type RegexpType struct {
	typeKind
	regexp *Regexp
}

// newRegexpType returns the type of the regular expression r; nil means any.
func newRegexpType(r *Regexp) *RegexpType { return &RegexpType{regexp: r} }

// Regexp returns the regular expression, or nil for the type of all of them.
func (t *RegexpType) Regexp() *Regexp { return t.regexp }

// typeName returns "Regexp".
func (*RegexpType) typeName() string { return "Regexp" }

func (t *RegexpType) String() string { return formatType(t) }

// PatternType describes the strings that match any of its regular expressions,
// or all strings if it has none.
type PatternType struct {
	typeKind
	patterns []*RegexpType
}

// newPatternType returns the type of the strings that match any of the
// patterns. It removes duplicates.
func newPatternType(patterns ...*Regexp) *PatternType {
	t := &PatternType{patterns: make([]*RegexpType, 0, len(patterns))}
	if len(patterns) == 1 {
		t.patterns = append(t.patterns, newRegexpType(patterns[0]))
		return t
	}
	seen := make(map[string]bool, len(patterns))
	for _, r := range patterns {
		if !seen[r.Source()] {
			seen[r.Source()] = true
			t.patterns = append(t.patterns, newRegexpType(r))
		}
	}
	return t
}

// Patterns returns the regular expressions.
func (t *PatternType) Patterns() []*Regexp {
	regexps := make([]*Regexp, len(t.patterns))
	for i, p := range t.patterns {
		regexps[i] = p.regexp
	}
	return regexps
}

// typeName returns "Pattern".
func (*PatternType) typeName() string { return "Pattern" }

func (t *PatternType) String() string { return formatType(t) }

// BooleanType describes true and false, or one of them.
type BooleanType struct {
	typeKind
	literal *bool
}

// newBooleanType returns the type of the single value v. &BooleanType{} is the
// type of both values.
func newBooleanType(v bool) *BooleanType { return &BooleanType{literal: &v} }

// typeName returns "Boolean".
func (*BooleanType) typeName() string { return "Boolean" }

func (t *BooleanType) String() string { return formatType(t) }

// ClassType describes references to catalog classes: Class[apache].
type ClassType struct {
	typeKind
	class string
}

// newClassType returns the type of references to a class. An empty name means
// any class; a leading :: is removed.
func newClassType(class string) *ClassType {
	return &ClassType{class: strings.TrimPrefix(class, "::")}
}

// Class returns the name of the class, or "" for any.
func (t *ClassType) Class() string { return t.class }

// typeName returns "Class".
func (*ClassType) typeName() string { return "Class" }

func (t *ClassType) String() string { return formatType(t) }

// ResourceType describes references to catalog resources: File['/tmp'].
type ResourceType struct {
	typeKind
	resource string
	title    *string
}

// newResourceType returns the type of references to resources of a type, such
// as "File" or "my::thing", whose segments it capitalizes; an empty name means
// any. With a title, it is the type of references to one resource. An invalid
// name, or a title without a name, is an error.
func newResourceType(resource string, title *string) (*ResourceType, error) {
	if resource == "" {
		if title != nil {
			return nil, fmt.Errorf("Resource: a title %s needs the type of the resource", literal.Quote(*title))
		}
		return &ResourceType{}, nil
	}
	name := capitalizeSegments(resource)
	if !isClassReference(name) {
		return nil, fmt.Errorf("Resource: %s is not the name of a resource type", literal.Quote(resource))
	}
	return &ResourceType{resource: name, title: title}, nil
}

// Resource returns the name of the resource type, or "" for any.
func (t *ResourceType) Resource() string { return t.resource }

// Title returns the title of the resource, or false for any title.
func (t *ResourceType) Title() (string, bool) {
	if t.title == nil {
		return "", false
	}
	return *t.title, true
}

// typeName returns "Resource".
func (*ResourceType) typeName() string { return "Resource" }

func (t *ResourceType) String() string { return formatType(t) }

// capitalizeSegments capitalizes each segment of a qualified name, unless the
// name already starts with a capital.
func capitalizeSegments(name string) string {
	if name != "" && 'A' <= name[0] && name[0] <= 'Z' {
		return name
	}
	segments := strings.Split(name, "::")
	for i, s := range segments {
		if s != "" {
			segments[i] = strings.ToUpper(s[:1]) + strings.ToLower(s[1:])
		}
	}
	return strings.Join(segments, "::")
}

// isClassReference reports whether name has the form My::Thing, with or without
// leading ::.
func isClassReference(name string) bool {
	for s := range strings.SplitSeq(strings.TrimPrefix(name, "::"), "::") {
		if s == "" || s[0] < 'A' || s[0] > 'Z' || !isWord(s) {
			return false
		}
	}
	return true
}

func isWord(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return s != ""
}

// RuntimeType describes values of a language runtime that are unknown to the
// language: Runtime[ruby, 'Symbol'].
type RuntimeType struct {
	typeKind
	runtime string
	class   string
	pattern *Regexp // class is the replacement of its match
}

// newRuntimeType returns the type of the values of a class of a runtime. An
// empty name means any.
func newRuntimeType(runtime, class string) *RuntimeType {
	return &RuntimeType{runtime: runtime, class: class}
}

// newRuntimePatternType returns the type that maps Puppet names to names of the
// runtime by replacing the match of pattern.
func newRuntimePatternType(runtime string, pattern *Regexp, replacement string) *RuntimeType {
	return &RuntimeType{runtime: runtime, class: replacement, pattern: pattern}
}

// typeName returns "Runtime".
func (*RuntimeType) typeName() string { return "Runtime" }

func (t *RuntimeType) String() string { return formatType(t) }

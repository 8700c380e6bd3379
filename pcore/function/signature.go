package function

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// Param is a parameter of a [Signature].
type Param struct {
	Name string
	// Type is the type of the argument, or of each argument if Repeated.
	Type pcore.Type
	// Optional reports that the argument may be omitted.
	Optional bool
	// Repeated reports that the parameter takes any number of arguments, at
	// least one unless Optional. Only the last parameter can be repeated.
	Repeated bool
	// Size, if not nil, overrides Optional as the number of arguments that a
	// Repeated parameter takes.
	Size *pcore.IntegerType
}

// Signature describes the arguments that a call must have, and its result. The
// zero value accepts neither arguments nor a block, and returns Any.
type Signature struct {
	// Params are the positional parameters, the optional ones last.
	Params []Param
	// Block is the parameter for a lambda, or nil if none is accepted. Its
	// type is a Callable, or a Variant of Callables.
	Block *Param
	// Return is the type of the result; nil means Any.
	Return pcore.Type
}

// typeParser parses the text of a type, such as `Optional[Integer[1]]`.
type typeParser func(text string) (pcore.Type, error)

// ParseSignature parses a signature in the notation that Puppet prints in its
// messages: types and names, separated by commas. A name can end in `?`
// (optional), `*` (zero or more) or `+` (one or more). A `&` before its type
// marks the block, which comes last. The result type follows after `>>`:
//
//	Hash[Any, Any] hash, Any start?, &Callable[2, 2] block >> Array
func ParseSignature(text string) (*Signature, error) { return parseSignature(text, languageType) }

func parseSignature(text string, types typeParser) (*Signature, error) {
	s := new(Signature)
	params, result, hasResult := cutReturn(text)
	var err error
	if hasResult {
		if s.Return, err = types(strings.TrimSpace(result)); err != nil {
			return nil, fmt.Errorf("signature %q: %w", text, err)
		}
	}
	for _, field := range splitParams(params) {
		field, isBlock := strings.CutPrefix(field, "&")
		p, err := parseParam(field, types)
		switch {
		case err != nil:
			return nil, fmt.Errorf("signature %q: %w", text, err)
		case s.Block != nil:
			return nil, fmt.Errorf("signature %q: the block must be last", text)
		case isBlock:
			s.Block = &p
		default:
			s.Params = append(s.Params, p)
		}
	}
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("signature %q: %w", text, err)
	}
	return s, nil
}

func parseParam(field string, types typeParser) (Param, error) {
	i := strings.LastIndexByte(field, ' ')
	if i < 0 {
		return Param{}, fmt.Errorf("parameter %q needs a type and a name", field)
	}
	var p Param
	p.Name = strings.TrimRight(field[i+1:], "?*+")
	switch field[i+1+len(p.Name):] {
	case "":
	case "?":
		p.Optional = true
	case "*":
		p.Optional, p.Repeated = true, true
	case "+":
		p.Repeated = true
	default:
		return Param{}, fmt.Errorf("parameter %q has more than one mark", field)
	}
	var err error
	p.Type, err = types(strings.TrimSpace(field[:i]))
	return p, err
}

// check rejects signatures that cannot be called with positional arguments.
func (s *Signature) check() error {
	for i, p := range s.Params {
		switch {
		case p.Name == "" || p.Type == nil:
			return errors.New("a parameter needs a type and a name")
		case slices.ContainsFunc(s.Params[:i], func(q Param) bool { return q.Name == p.Name }):
			return fmt.Errorf("the parameter %s is there twice", p.Name)
		case i > 0 && s.Params[i-1].Repeated:
			return fmt.Errorf("the parameter %s follows a repeated one", p.Name)
		case i > 0 && s.Params[i-1].Optional && !p.Optional:
			return fmt.Errorf("the parameter %s must be given, but follows an optional one", p.Name)
		}
	}
	if s.Block != nil && (s.Block.Repeated || s.Block.Type == nil) {
		return errors.New("a block needs a type, and there can be but one")
	}
	return nil
}

// Arity returns the minimum and maximum number of arguments of a call. The
// maximum is -1 if there is no limit.
func (s *Signature) Arity() (least, most int) {
	for _, p := range s.Params {
		l, m := p.Arity()
		least += l
		if m < 0 {
			return least, -1
		}
		most += m
	}
	return least, most
}

// Arity returns the minimum and maximum number of arguments that the parameter
// takes. The maximum is -1 if there is no limit.
func (p Param) Arity() (least, most int) {
	least, most = 1, 1
	if p.Optional {
		least = 0
	}
	if !p.Repeated {
		return least, most
	}
	if p.Size == nil {
		return least, -1
	}
	from, _ := p.Size.From().Get()
	to, bounded := p.Size.To().Get()
	if !bounded || to > math.MaxInt32 {
		to = -1
	}
	return int(max(0, min(from, math.MaxInt32))), int(to)
}

// at returns the parameter for the argument at index i, which must be within
// Arity.
func (s *Signature) at(i int) Param { return s.Params[min(i, len(s.Params)-1)] }

// String returns the signature as Puppet prints it: parameters and block,
// without the result type.
func (s *Signature) String() string {
	var parts []string
	for _, p := range s.Params {
		parts = append(parts, p.String())
	}
	if s.Block != nil {
		parts = append(parts, s.Block.String())
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// String returns the parameter as Puppet prints it: `Integer count?`.
func (p Param) String() string {
	mark := ""
	switch {
	case p.Repeated && p.Optional:
		mark = "*"
	case p.Repeated:
		mark = "+"
	case p.Optional:
		mark = "?"
	}
	return p.Type.String() + " " + p.Name + mark
}

// cutReturn splits a signature before its result type.
func cutReturn(text string) (params, result string, found bool) {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '>':
			if depth == 0 && strings.HasPrefix(text[i:], ">>") {
				return text[:i], text[i+2:], true
			}
		}
	}
	return text, "", false
}

// splitParams splits text at commas outside of brackets.
func splitParams(text string) []string {
	var fields []string
	depth, start := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case ',':
			if depth == 0 {
				fields = append(fields, strings.TrimSpace(text[start:i]))
				start = i + 1
			}
		}
	}
	if rest := strings.TrimSpace(text[start:]); rest != "" || len(fields) > 0 {
		fields = append(fields, rest)
	}
	return fields
}

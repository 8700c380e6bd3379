package pcore

import (
	"fmt"
	"strconv"
	"strings"
)

// NamedCallable is a signature of a function: the types of its parameters,
// block and result, and the names for messages.
type NamedCallable struct {
	Type *CallableType
	// Params contains the names of the parameters, one for each type.
	Params []string
	// Block is the name of the block.
	Block string
}

// DescribeSignatures describes why none of the signatures of a function accepts
// arguments of the types in args, a Tuple or an Array. If a block is given, its
// type is the last of the types. name is the name of the function, or "lambda".
func DescribeSignatures(name string, signatures []NamedCallable, args Type) string {
	d := newDescriber()
	found := make([][]mismatch, len(signatures))
	for i, s := range signatures {
		found[i] = d.arguments(s, args, mismatchPath{}.with(pathSignature, strconv.Itoa(i+1)))
	}
	d.blocks(signatures, args, found)
	label := "'" + name + "'"
	if name == "lambda" {
		label = "block"
	}
	if merged := mergeMismatches(0, wrongCount, found); len(merged) == 1 {
		return label + merged[0].String()
	}
	var b strings.Builder
	if len(signatures) == 1 {
		fmt.Fprintf(&b, "%s expects (%s)", label, signatures[0].text())
		writeRejected(&b, "\n  rejected:", found[0])
		return b.String()
	}
	fmt.Fprintf(&b, "The function %s was called with arguments it does not accept. It expects one of:", label)
	for i, s := range signatures {
		fmt.Fprintf(&b, "\n  (%s)", s.text())
		writeRejected(&b, "\n    rejected:", found[i])
	}
	return b.String()
}

func writeRejected(b *strings.Builder, prefix string, found []mismatch) {
	for _, m := range found {
		m.path = m.path.without(0)
		b.WriteString(prefix + m.String())
	}
}

// arguments describes the mismatches of the arguments except the block.
func (d *describer) arguments(s NamedCallable, args Type, path mismatchPath) []mismatch {
	params := s.params()
	given, ok := argumentTypes(params, args)
	if !ok {
		return []mismatch{typeMismatch(path, params, args)}
	}
	var size *IntegerType
	if n := len(given); n > 0 && isCallable(given[n-1], nil) {
		given = given[:n-1]
		size = exactSize(n - 1)
	} else {
		size = argumentCount(args)
	}
	if wanted := params.sizeRange(); !wanted.coversSize(size) {
		return []mismatch{sizeMismatch(wrongCount, path, wanted, size)}
	}
	for i, t := range given {
		if len(params.types) == 0 {
			break
		}
		at := min(i, len(params.types)-1)
		name := ""
		if at < len(s.Params) {
			name = s.Params[at]
		}
		if found := d.different(params.types[at], t, path.with(pathParameter, name)); len(found) > 0 {
			return found
		}
	}
	return nil
}

func (s NamedCallable) params() *TupleType {
	if s.Type.params == nil {
		return &TupleType{}
	}
	return s.Type.params
}

// argumentTypes returns the types of the arguments. For an Array it returns as
// many as there are parameters.
func argumentTypes(params *TupleType, args Type) ([]Type, bool) {
	switch args := args.(type) {
	case *TupleType:
		return args.types, true
	case *ArrayType:
		if mustBeEmpty(args.size) {
			return nil, true
		}
		types := make([]Type, len(params.types))
		for i := range types {
			types[i] = args.Elem()
		}
		return types, true
	}
	return nil, false
}

func argumentCount(args Type) *IntegerType {
	switch args := args.(type) {
	case *TupleType:
		return args.sizeRange()
	case *ArrayType:
		return sizeOrDefault(args.size)
	}
	return atLeast(0)
}

// blocks describes the blocks of the signatures that accept the arguments.
func (d *describer) blocks(signatures []NamedCallable, args Type, found [][]mismatch) {
	accepted := false
	for _, f := range found {
		accepted = accepted || len(f) == 0
	}
	if !accepted {
		return
	}
	blocks := make([][]mismatch, len(signatures))
	all := true
	for i, s := range signatures {
		blocks[i] = d.block(s, args, mismatchPath{}.with(pathSignature, strconv.Itoa(i+1)))
		all = all && len(blocks[i]) > 0
	}
	for i := range found {
		if all || len(found[i]) == 0 {
			found[i] = blocks[i]
		}
	}
}

func (d *describer) block(s NamedCallable, args Type, path mismatchPath) []mismatch {
	var given Type
	if t, ok := args.(*TupleType); ok && len(t.types) > 0 && isCallable(t.types[len(t.types)-1], nil) {
		given = t.types[len(t.types)-1]
	}
	switch wanted := s.Type.block; {
	case given == nil && (wanted == nil || acceptsUndef(wanted)):
		return nil
	case given == nil:
		return []mismatch{{kind: missingBlock, path: path}}
	case wanted == nil:
		return []mismatch{{kind: unexpectedBlock, path: path}}
	default:
		return d.describe(wanted, given, path.with(pathBlock, "block"))
	}
}

// text returns the parameter list. A ? marks an optional parameter; a * or +
// marks the last parameter if it repeats.
func (s NamedCallable) text() string {
	params := s.params()
	size := params.sizeRange()
	least, most := sizeLimits(size)
	if least == 0 && most == 0 {
		return ""
	}
	names := s.Params
	if len(names) == 0 {
		names = make([]string, len(params.types))
	}
	words := make([]string, 0, len(names)+1)
	for i, name := range names {
		if len(params.types) == 0 {
			break
		}
		t, mark := params.at(i), ""
		switch {
		case most == unlimited && i == len(names)-1 && least == int64(len(names)):
			mark = "+"
		case most == unlimited && i == len(names)-1:
			mark = "*"
		case int64(i+1) > least:
			mark = "?"
			if o, ok := t.(*OptionalType); ok && o.elem != nil {
				t = o.elem
			}
		}
		words = append(words, TypeText(t)+" "+name+mark)
	}
	switch block := s.Type.block.(type) {
	case *OptionalType:
		words = append(words, TypeText(elemOrAny(block.elem))+" "+s.Block+"?")
	case *CallableType:
		words = append(words, block.String()+" "+s.Block)
	}
	return strings.Join(words, ", ")
}

package syntax

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
)

// referenceCase is a text and the result of Puppet 7.23: its tree as [class,
// attribute…], or the errors as [line, column, issue, message].
type referenceCase struct {
	Src    string          `json:"src"`
	EPP    bool            `json:"epp"`
	AST    json.RawMessage `json:"ast"`
	Errors [][]any         `json:"errors"`
	Crash  string          `json:"crash"`
}

// readLines calls f for each line of a JSON Lines file.
func readLines[T any](t testing.TB, file string, f func(T)) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		f(v)
	}
}

// catalogIssue is an error here for texts that Puppet accepts, because they
// only have a meaning in a catalog.
const catalogIssue = "NOT_SUPPORTED_WHEN_SCRIPTING"

// TestReference compares trees and the first error with Puppet's. It skips
// texts that crash Puppet.
func TestReference(t *testing.T) {
	readLines(t, "testdata/reference.jsonl", func(c referenceCase) {
		t.Run(c.Src, func(t *testing.T) {
			root, err := parseAny(c.Src, c.EPP)
			var found ErrorList
			errors.As(err, &found)
			switch {
			case c.Crash != "", slices.ContainsFunc(found, func(e *Error) bool { return e.Issue == catalogIssue }):
			case c.AST == nil && err == nil:
				t.Fatalf("no error, Puppet says %v", c.Errors)
			case c.AST == nil:
				compareError(t, found, c.Errors, c.Src)
			case err != nil:
				t.Fatalf("%s\nPuppet reads it", found.Detail())
			default:
				compareTree(t, root, c.AST)
			}
		})
	})
}

func compareTree(t *testing.T, root Node, want json.RawMessage) {
	t.Helper()
	got, err := json.Marshal(reference(root))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := normalize(t, got), normalize(t, want); got != want {
		t.Errorf("tree\n got %s\nwant %s", got, want)
	}
}

// parseAny parses as Puppet 7, which gave the answers.
func parseAny(src string, epp bool) (Node, error) {
	c := Config{NoLiteralTypes: true}
	if epp {
		return c.ParseEPP("", src)
	}
	return c.ParseProgram("", src)
}

// compareError checks that one of the errors has the same location and issue as
// one of Puppet's. The checks do not run after a syntax error here, but the
// first of Puppet's errors always ends its work, so one error must match.
// Puppet gives no location at the end of the input, and some errors have no
// issue.
func compareError(t *testing.T, found ErrorList, want [][]any, src string) {
	t.Helper()
	for _, w := range want {
		line, column, issue := w[0], w[1], w[2]
		if line == nil {
			l, c := NewLocator("", src).Position(len(src))
			line, column = float64(l), float64(c)
		}
		location := fmt.Sprintf("%v:%v", line, column)
		for _, e := range found {
			if location == fmt.Sprintf("%d:%d", e.Line, e.Column) && (issue == nil || issue == e.Issue) {
				return
			}
		}
	}
	t.Errorf("errors\n got %s\nwant %v", found.Detail(), want)
}

// normalize returns a tree with numbers in one notation.
func normalize(t *testing.T, ast []byte) string {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(ast))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	var walk func(any) any
	walk = func(v any) any {
		if list, ok := v.([]any); ok {
			if len(list) == 2 && list[0] == "LiteralFloat" {
				f, err := strconv.ParseFloat(fmt.Sprint(list[1]), 64)
				if err != nil {
					t.Fatal(err)
				}
				return []any{"LiteralFloat", fmt.Sprint(f)}
			}
			for i := range list {
				list[i] = walk(list[i])
			}
		}
		return v
	}
	b, err := json.Marshal(walk(v))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// reference returns a tree as [class, attribute…] of Puppet's model.
func reference(n Node) any {
	switch n := n.(type) {
	case nil:
		return nil
	case *Program:
		if len(n.Body.Statements) == 0 {
			return []any{"Nop"}
		}
		return short(n.Body)
	case *EPP:
		return []any{"LambdaExpression", list(n.Parameters), []any{"EppExpression", n.ParametersGiven, long(n.Body)}, nil}
	case *Block:
		return short(n)
	case *Undef:
		return []any{"LiteralUndef"}
	case *Default:
		return []any{"LiteralDefault"}
	case *Boolean:
		return []any{"LiteralBoolean", n.Value}
	case *Integer:
		return []any{"LiteralInteger", n.Value}
	case *Float:
		return []any{"LiteralFloat", n.Value}
	case *String:
		return []any{"LiteralString", n.Value}
	case *ConcatenatedString:
		return []any{"ConcatenatedString", list(n.Segments)}
	case *TextExpression:
		return []any{"TextExpression", reference(n.Expr)}
	case *Heredoc:
		return []any{"HeredocExpression", n.Syntax, reference(n.Text)}
	case *Regexp:
		return []any{"LiteralRegularExpression", "re:" + n.Pattern}
	case *QualifiedName:
		return []any{"QualifiedName", n.Name}
	case *QualifiedReference:
		return []any{"QualifiedReference", n.Name}
	case *Variable:
		return []any{"VariableExpression", []any{"QualifiedName", n.Name}}
	case *Array:
		return []any{"LiteralList", list(n.Elements)}
	case *Hash:
		return []any{"LiteralHash", list(n.Entries)}
	case *KeyedEntry:
		return []any{"KeyedEntry", reference(n.Key), reference(n.Value)}
	case *Unary:
		class := map[Operator]string{OpNot: "NotExpression", OpMinus: "UnaryMinusExpression", OpSplat: "UnfoldExpression"}[n.Op]
		return []any{class, reference(n.Operand)}
	case *Binary:
		left, right := reference(n.Left), reference(n.Right)
		switch n.Op {
		case OpIn:
			return []any{"InExpression", left, right}
		case OpAnd:
			return []any{"AndExpression", left, right}
		case OpOr:
			return []any{"OrExpression", left, right}
		case OpMatch, OpNoMatch:
			return []any{"MatchExpression", left, right, n.Op}
		case OpEqual, OpNotEqual, OpGreater, OpGreaterEqual, OpLess, OpLessEqual:
			return []any{"ComparisonExpression", left, right, n.Op}
		}
		return []any{"ArithmeticExpression", left, right, n.Op}
	case *Assignment:
		return []any{"AssignmentExpression", reference(n.Left), reference(n.Right), n.Op}
	case *Parenthesized:
		return []any{"ParenthesizedExpression", reference(n.Expr)}
	case *Access:
		return []any{"AccessExpression", reference(n.Left), list(n.Keys)}
	case *Call:
		return []any{"CallNamedFunctionExpression", reference(n.Function), list(n.Arguments), lambda(n.Lambda)}
	case *MethodCall:
		access := []any{"NamedAccessExpression", reference(n.Receiver), reference(n.Function)}
		return []any{"CallMethodExpression", access, list(n.Arguments), lambda(n.Lambda)}
	case *Parameter:
		var rest any
		if n.CapturesRest {
			rest = true
		}
		return []any{"Parameter", n.Name, reference(n.Default), reference(n.Type), rest}
	case *If:
		return []any{"IfExpression", reference(n.Test), short(n.Then), reference(n.Else)}
	case *Unless:
		var otherwise any
		if n.Else != nil {
			otherwise = short(n.Else)
		}
		return []any{"UnlessExpression", reference(n.Test), short(n.Then), otherwise}
	case *Case:
		return []any{"CaseExpression", reference(n.Test), list(n.Options)}
	case *CaseOption:
		return []any{"CaseOption", list(n.Values), long(n.Body)}
	case *Selector:
		return []any{"SelectorExpression", reference(n.Left), list(n.Entries)}
	case *SelectorEntry:
		return []any{"SelectorEntry", reference(n.Match), reference(n.Value)}
	case *FunctionDefinition:
		return []any{"FunctionDefinition", n.Name, list(n.Parameters), long(n.Body), reference(n.ReturnType)}
	case *TypeAlias:
		return []any{"TypeAlias", n.Name, reference(n.Type)}
	case *TypeMapping:
		return []any{"TypeMapping", reference(n.Left), reference(n.Right)}
	case *RenderString:
		return []any{"RenderStringExpression", n.Text}
	case *Render:
		return []any{"RenderExpression", reference(n.Expr)}
	}
	panic(fmt.Sprintf("no reference form of %T", n))
}

// short returns a body that is a block in Puppet only if it has several
// statements.
func short(b *Block) any {
	switch len(b.Statements) {
	case 0:
		return nil
	case 1:
		return reference(b.Statements[0])
	}
	return long(b)
}

// long returns a body that is always a block in Puppet.
func long(b *Block) any {
	if len(b.Statements) == 0 {
		return nil
	}
	return []any{"BlockExpression", list(b.Statements)}
}

func lambda(n *Lambda) any {
	if n == nil {
		return nil
	}
	return []any{"LambdaExpression", list(n.Parameters), long(n.Body), reference(n.ReturnType)}
}

func list[N Node](nodes []N) []any {
	out := make([]any, len(nodes))
	for i, n := range nodes {
		out[i] = reference(n)
	}
	return out
}

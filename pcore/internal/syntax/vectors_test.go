package syntax

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// vectors is the folder with Puppet's results of whole evaluations.
const vectors = "../../../testdata/vectors"

// parseIssues are the errors that Puppet reports before evaluation.
var parseIssues = []string{
	"SYNTAX_ERROR", "IDEM_EXPRESSION_NOT_LAST", "ILLEGAL_ASSIGNMENT", "INVALID_OCTAL_NUMBER", "INVALID_HEX_NUMBER",
	"INVALID_DECIMAL_NUMBER", "ILLEGAL_NUMBER", "ILLEGAL_NUMERIC_VAR_NAME", "CROSS_SCOPE_ASSIGNMENT",
	"APPENDS_DELETES_NO_LONGER_SUPPORTED", "ILLEGAL_PP", "ILLEGAL_JSON", "UNCLOSED_QUOTE", "DUPLICATE_KEY",
	"DUPLICATE_DEFAULT", "DUPLICATE_PARAMETER", "RESERVED_WORD", "ILLEGAL_VAR_NAME", "ILLEGAL_EXPRESSION",
	"ILLEGAL_NUMERIC_ASSIGNMENT", "EPP_UNBALANCED_TAG",
}

type vector struct {
	ID, Op                             string
	Expr, Type, T1, T2, Code, Template string
	Params                             string
	Format                             *string
	Expect                             vectorAnswer
	ExpectEval                         *vectorAnswer `json:"expect_eval"`
}

type vectorAnswer struct {
	Error, Issue string
	Crash        bool
}

// texts returns the texts that Puppet parsed for the answer.
func (v vector) texts() (list []string, template bool, answer vectorAnswer) {
	answer = v.Expect
	switch v.Op {
	case "parse_type":
		if v.ExpectEval != nil {
			answer = *v.ExpectEval
		}
		list = []string{v.Type}
	case "assignable", "common":
		list = []string{v.T1, v.T2}
	case "instance":
		list = []string{fmt.Sprintf("(%s) =~ %s", v.Expr, v.Type)}
	case "format":
		text := "String(" + v.Expr
		if v.Format != nil {
			text += ", " + *v.Format
		}
		list = []string{text + ")"}
	case "epp":
		list, template = []string{v.Template}, true
	case "eval":
		list = []string{v.Code}
	case "expr", "infer", "rich":
		list = []string{v.Expr}
	}
	return list, template, answer
}

// TestVectors parses every text of the vectors. It must be rejected if and only
// if Puppet rejected it before evaluation; otherwise its printed form must
// parse as an equal tree.
func TestVectors(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(vectors, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Skipf("no vectors in %s (%v)", vectors, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			if info, err := os.Stat(file); err != nil || info.Size() == 0 {
				t.Fatal(file, err)
			}
			readLines(t, file, func(v vector) {
				texts, template, answer := v.texts()
				for _, text := range texts {
					checkVector(t, v.ID, text, template, answer, len(texts) > 1)
				}
			})
		})
	}
}

func checkVector(t *testing.T, id, text string, template bool, answer vectorAnswer, several bool) {
	t.Helper()
	tree, err := parseAny(text, template)
	var found ErrorList
	if errors.As(err, &found) {
		if found[0].Issue != catalogIssue && answer.Error == "" {
			t.Errorf("%s: %s\nPuppet reads it", id, found.Detail())
		}
		if slices.Contains(parseIssues, answer.Issue) && found[0].Issue != answer.Issue {
			t.Errorf("%s: %s\nPuppet says %s: %s", id, found.Detail(), answer.Issue, answer.Error)
		}
		return
	}
	if slices.Contains(parseIssues, answer.Issue) && !several {
		t.Errorf("%s: %q is read, Puppet says %s", id, text, answer.Error)
	}
	checkSpans(t, tree, len(text))
}

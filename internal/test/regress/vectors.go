package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// vector is a question of testdata/vectors that pcat can answer.
type vector struct {
	ID, Op, Env    string
	Code, Expr     string
	Type, T1, T2   string
	Format         string
	Template       string
	Params         string
	Doc, Facts     json.RawMessage
	Expect         struct{ Error string }
	SerializeError string `json:"serialize_error"`
}

func readVectors(root string) ([]vector, error) {
	names, err := filepath.Glob(filepath.Join(root, "testdata", "vectors", "*.jsonl"))
	if err != nil {
		return nil, err
	}
	var all []vector
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		lines := bufio.NewScanner(bytes.NewReader(data))
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			var v vector
			if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			all = append(all, v)
		}
		if err := lines.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return all, nil
}

// questions is the number of questions about one type for one process.
const questions = 25

// vectorCases turns vectors into cases, and the documents in them into inputs for all modes.
func vectorCases(vectors []vector, definitions string) (cases []*Case, documents []Input) {
	add := func(command, mode string, args ...string) {
		cases = append(cases, &Case{Command: command, Mode: mode, Form: "vectors", Args: append([]string{command}, args...)})
	}
	open := map[string]*Case{} // by type and question
	ask := func(v vector, typ, flag, question string) {
		key := typ + "\x00" + flag
		c := open[key]
		if c == nil || v.Expect.Error != "" || len(c.Args) > 2*questions {
			c = &Case{Command: "type", Mode: flag, Form: "vectors", Args: []string{"type", typ}}
			cases = append(cases, c)
			if v.Expect.Error == "" {
				open[key] = c
			}
		}
		c.Args = append(c.Args, flag, question)
	}
	evaluate := func(v vector, mode, expr string, flags ...string) {
		args := flags
		if v.Env == "std" {
			args = append(args, "-e", definitions)
		}
		add("eval", mode, append(args, "-e", expr)...)
	}
	for _, v := range vectors {
		own := strings.Contains(v.Type+v.T1+v.T2+v.Expr, "Oracle::")
		switch v.Op {
		case "eval":
			evaluate(v, "-e", v.Code)
		case "expr":
			evaluate(v, "-e", v.Expr)
		case "format":
			evaluate(v, "-e format", "String("+v.Expr+", "+v.Format+")")
		case "rich":
			for _, form := range []string{"rich-json", "json", "stringified-json", "yaml", "tabulated-json", "rich-msgpack", "tabulated-msgpack"} {
				evaluate(v, "-t "+form, v.Expr, "-t", form)
			}
			evaluate(v, "--show-secrets", v.Expr, "--show-secrets", "-r")
		case "infer":
			if own {
				evaluate(v, "-e type", "type("+v.Expr+")")
			} else {
				add("type", "--infer", "--infer", v.Expr)
			}
		case "parse_type":
			if own {
				evaluate(v, "-e type", v.Type)
			} else {
				add("type", "", v.Type)
				add("type", "--json", v.Type, "--json", "--accepts", v.Type)
			}
		case "instance":
			if own {
				evaluate(v, "-e instance", "("+v.Expr+") =~ "+v.Type)
			} else {
				ask(v, v.Type, "--instance", v.Expr)
			}
		case "assignable":
			if own {
				evaluate(v, "-e assignable", v.T2+" <= "+v.T1)
			} else {
				ask(v, v.T1, "--accepts", v.T2)
			}
		case "common":
			if !own {
				ask(v, v.T1, "--common", v.T2)
			}
		case "epp":
			cases = append(cases, &Case{Command: "eval", Mode: "template", Form: "vectors", Args: []string{"eval", filesHere},
				Inputs: []Input{{v.ID + ".epp", []byte(v.Template)}}, Writes: true})
			params := ""
			if v.Params != "" {
				params = ", " + v.Params
			}
			quoted := strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(v.Template)
			evaluate(v, "inline_epp", "inline_epp('"+quoted+"'"+params+")", "-r")
		case "deferred":
			for _, like := range []string{"puppet7", "puppet8"} {
				facts := v.Facts
				if facts == nil {
					facts = []byte("{}")
				}
				cases = append(cases, &Case{Command: "resolve", Mode: "vectors --like " + like, Form: "vectors",
					Args:   []string{"resolve", "--facts", "facts.json", "--like", like, v.ID + ".json"},
					Inputs: []Input{{v.ID + ".json", v.Doc}, {"facts.json", facts}}, Writes: true})
			}
		}
		if v.Doc != nil {
			documents = append(documents, Input{v.ID + ".json", v.Doc})
		}
	}
	return cases, documents
}

// plainCases returns cases without input, and cases with wrong arguments.
func plainCases() []*Case {
	lines := []string{"version", "version --json", "list formats", "list rules", "list rules --json", "list", "list rules --config AID/audit.yaml", "list rules secret-in-content --all", "list rules --rules AID/rules.toml --json",
		"list rules no-such-rule", "list functions", "list functions --json", "list functions sprintf inline_epp", "list functions nope", "list functions --plugin AID/plugins",
		"man", "completion bash", "completion zsh", "completion fish", "completion powershell", "completion nope",
		"--help", "--version", "nope", "convrt x", "--nope", "convert", "convert -t nope x", "convert -t json nowhere.json", "convert -t json --indent x", "convert -t json --compress x nowhere",
		"redact --mode nope x", "redact --also nope x", "redact --mode digest --key-file nowhere x", "redact --mode encrypt x", "redact --node-cert AID/node.pem x", "redact -i -o x y",
		"audit --format nope x", "audit --fail-on nope x", "audit --rules AID/key x", "audit --config nowhere x", "audit --config AID/key --no-config x", "audit --baseline nowhere x", "audit nowhere.json",
		"resolve --like nope x", "resolve --allow nope x", "resolve --table AID/key x", "resolve --facts AID/node.pem x", "resolve --plugin AID/plugins x", "resolve --ruby x", "resolve --timeout x y",
		"query x", "query -e", "get", "get x", "get x y z", "validate x", "verify", "deferred --policy AID/facts.json x", "unseal x", "unseal --key AID/key x", "inspect --biggest x y",
		"type", "type 'Integer[' --json", "type Nope", "eval -e '1 +'", "eval --var x -e 1", "eval --log-format nope -e 1", "eval --color nope -e 1",
		"convert -t json --max-size 1XB x", "convert -t json --files-from nowhere", "convert -t json -j x y", "inspect AID/key", "inspect AID/audit.yaml AID/modules", "audit --key-file AID/key AID/modules"}
	for _, command := range []string{"audit", "audit keygen", "convert", "deferred", "eval", "list functions", "get", "inspect", "query", "redact", "resolve", "list rules", "type", "unseal", "validate", "verify", "completion", "list formats", "man", "version"} {
		lines = append(lines, command+" --help", "man "+command)
	}
	var all []*Case
	for _, l := range lines {
		m := newMode(l, "")
		c := &Case{Command: m.Command, Mode: m.Name, Form: "none", Args: m.args[:len(m.args)-1], Writes: true}
		all = append(all, c)
	}
	return all
}

package main

import "strings"

// Mode is a command with flags, for any catalog. In its arguments, @ represents the inputs,
// and AID the folder with the files of aid.go.
type Mode struct {
	Command string
	Name    string
	args    []string
	alone   bool // takes one input at a time
	stdin   bool
	writes  bool
}

// Commands that rewrite each of several inputs. redact numbers the secrets of all inputs in
// order of appearance, so it processes one input at a time, except in modes without
// numbers.
var rewriting = []string{
	"convert -t rich-json", "convert -t json", "convert -t stringified-json", "convert -t rich-msgpack", "convert -t msgpack",
	"convert -t yaml", "convert -t tabulated-json", "convert -t tabulated-msgpack",
	"convert -t puppetdb --producer p.example.com --producer-timestamp 2026-01-02T03:04:05Z --transaction-uuid 00000000-0000-4000-8000-000000000001 --job-id 7",
	"convert -t rich-json --indent 2", "convert -t json --indent 0 -v", "convert -t rich-json --repair", "convert -t rich-msgpack --repair -v",
	"convert -t json --ledger ledger.jsonl", "convert -t stringified-json --ledger ledger.jsonl -q", "convert -t msgpack --strict",
	"convert -t json --modulepath AID/modules", "convert -t rich-json --compress gzip", "convert -t json --log-format json",
	"convert -t rich-json --max-size 2KiB", "convert -t tabulated-msgpack --ledger ledger.jsonl -v -v", "convert -t yaml --ledger ledger.jsonl -j 2",

	"redact -j 1", "redact -v -j 1", "redact --mode drop -j 1", "redact --mode digest --key-file AID/key", "redact --mode pseudonym --key-file AID/key -j 1",
	"redact -t rich-msgpack -j 1", "redact -t rich-json --indent 2 -j 1", "redact -t json -j 1", "redact -t yaml -j 1", "redact -t tabulated-json -j 1", "redact -t stringified-json -v -j 1",
	"redact --mode drop -t msgpack -j 1", "redact --mode drop -t tabulated-msgpack -j 1", "redact --mode digest --key-file AID/key -t rich-msgpack -v",
	"redact --mode pseudonym --key-file AID/key -t rich-json -v -j 1", "redact --repair -j 1", "redact --log-format json -j 1",
	"redact --mode encrypt --node-cert AID/node.pem -t rich-json -j 1",
	"redact -j 1", "redact -v -j 1", "redact --mode drop -j 1",
	"redact --mode digest --key-file AID/key", "redact --mode pseudonym --key-file AID/key -j 1",
	"redact --config AID/audit.yaml -j 1", "redact -t rich-msgpack -j 1", "redact -t yaml -j 1",
	"redact -t json -j 1", "redact -t tabulated-json -j 1",
	"redact --mode encrypt --node-cert AID/node.pem -t rich-json -j 1",

	"resolve", "resolve --facts AID/facts.json --table AID/answers.yaml --keep-unresolved",
	"resolve --facts AID/facts.json --table AID/answers.yaml --keep-unresolved --like puppet8 -v",
	"resolve --facts AID/facts.json --table AID/answers.yaml --keep-unresolved --like openvox9 -t rich-msgpack",
	"resolve --facts AID/facts.json --keep-unresolved --in-keys --in-objects", "resolve --facts AID/facts.json --keep-unresolved --strict --as-stored",
	"resolve --facts AID/facts.json --keep-unresolved --trace -j 1", "resolve --keep-unresolved --max-calls 2 -j 1",
	"resolve --keep-unresolved --modulepath AID/modules --allow read -t rich-json --indent 2", "resolve --keep-unresolved --facts AID/facts.json -t yaml",
	"resolve --keep-unresolved --facts AID/facts.json -t json --log-format json", "resolve --keep-unresolved --repair -t tabulated-json",

	"unseal --key AID/node.key", "unseal --key AID/node.key -t rich-msgpack -v", "unseal --key AID/other.key",
}

// Commands that report on several inputs.
var reporting = []string{
	"audit --no-config --key-file AID/key", "audit --no-config --key-file AID/key --format json", "audit --no-config --key-file AID/key --format jsonl -v",
	"audit --no-config --key-file AID/key --format html", "audit --no-config --key-file AID/key --format sarif", "audit --no-config --key-file AID/key --format junit",
	"audit --no-config --key-file AID/key --format csv", "audit --no-config --key-file AID/key --format github", "audit --no-config --key-file AID/key --format json --at-rest",
	"audit --config AID/audit.yaml --key-file AID/key --format json -v", "audit --no-config --rules AID/rules.toml --key-file AID/key --format csv",
	"audit --no-config --rules AID/rules.yaml --key-file AID/key", "audit --no-config --key-file AID/key --fail-on low -q", "audit --no-config --key-file AID/key --max-findings 3 --fail-on none",
	"audit --no-config --key-file AID/key --repair --format jsonl", "audit --no-config --key-file AID/key --color always", "audit --no-config --key-file AID/key -j 1 --log-format json",
	"audit --no-config --key-file AID/key --baseline AID/baseline.jsonl", "audit --no-config --key-file AID/key --fail-on info --format json -j 2",
	"inspect", "inspect --json", "inspect --biggest 3 -v", "inspect --json --biggest 0 --repair", "inspect --color always",
	`query -e '$type == file'`, `query --json -e '$parameters'`, `query -r -e '$title'`, `query -e '$sensitive' --json --fail-on any`, `query --show-secrets -e '$parameters' --json`,
	`query -e '$parameters[content] =~ /password/'`, `query -e '$parameters.length + $line'`, `query --lax -e '$nope or $tags'`, `query -e '$parameters.map |$k, $v| { type($v) }' --json`,
	`query -e '$type ==' -v`, `query --facts AID/facts.json --modulepath AID/modules -e "[$exported, $file, $facts[os][family]]"`,
	"validate --modulepath AID/modules", "validate --modulepath AID/modules --json", "validate --modulepath AID/modules -v --repair",
	"verify", "verify --json", "verify --values", "verify --json --repair --modulepath AID/modules", "verify -v -j 2",
	"deferred", "deferred --json", "deferred --policy AID/policy.yaml", "deferred --json --policy AID/policy.yaml --table AID/answers.yaml --modulepath AID/modules",
	"deferred --plugin AID/plugins --repair", "deferred -v --color always",
}

// Commands that take one input, or behave differently with one.
var single = []string{
	"get @ .", "get @ name", "get @ resources.#", "get @ resources.#.title", "get -r @ resources.4.title", "get @ resources.5.parameters", "get --show-secrets @ resources.4.parameters",
	`get @ 'resources.#(type=="File")#.parameters.content'`, `get -r @ 'resources.#(type=="User").parameters.password'`, "get @ edges.0", "get @ nowhere.0", "get @ 'a\\.b'", "get @ 'resources.#('", "get --repair @ resources",
	"convert -t json", "convert -t rich-json --ledger ledger.jsonl", "convert -t rich-msgpack -o out.rich.msgpack", "convert -t json --strict --ledger lost.jsonl -o out.json.gz",
	"convert -t yaml --compress zstd -o out", "convert -f json -t rich-json", "convert -f rich-msgpack -t rich-json", "convert -f yaml -t rich-json", "convert -f tabulated-json -t rich-json", "convert -f msgpack -t yaml",
	"redact", "redact -o out.json", "redact --mode drop -o out.msgpack.zst -t rich-msgpack", "redact -o out", "redact -f rich-json", "redact --max-size 1KiB",
	"redact --mode digest", // needs a key to be the same twice: see testdata/expected.txt
	"resolve --facts AID/facts.json --keep-unresolved -o out.json", "resolve --like puppet8", "resolve --keep-unresolved --plugin AID/plugins --allow run --retries 0 -j 1", "resolve --keep-unresolved --allow read --timeout 20s",
	"unseal --key AID/node.key -o out.json", "audit --no-config --key-file AID/key --format sarif -o report.sarif",
	"audit --no-config --key-file AID/key --baseline known.jsonl --update-baseline", "inspect", "verify", "deferred --policy AID/policy.yaml", "validate --modulepath AID/modules --json",
}

// Commands that read standard input.
var fromStdin = []string{
	"convert -t rich-json", "convert -t json --repair", "redact", "redact", "resolve --keep-unresolved --facts AID/facts.json", "inspect --json",
	"audit --no-config --key-file AID/key --format json", "verify", "get @ resources.0", "query -e '$title'",
}

// Commands for the payload of PuppetDB.
var fromPuppetDB = []string{
	"convert -f puppetdb -t rich-json", "convert -f puppetdb -t rich-msgpack -v", "convert -f puppetdb -t yaml --ledger ledger.jsonl", "convert -f puppetdb -t json --strict",
	"convert -f puppetdb -t tabulated-json", "convert -f puppetdb -t puppetdb --producer p.example.com --producer-timestamp 2026-01-02T03:04:05Z",
}

// modes returns the modes for catalogs of a form, intact or damaged.
func modes(form string) []Mode {
	var all []Mode
	if form == "puppetdb" {
		for _, s := range fromPuppetDB {
			all = append(all, newMode(s, "-i"))
		}
	}
	for _, s := range rewriting {
		if form == "gzip" && strings.Contains(s, "encrypt") {
			continue // compressed random bytes cannot be compared
		}
		all = append(all, newMode(s, "-i"))
	}
	for _, s := range reporting {
		all = append(all, newMode(s, ""))
	}
	for _, s := range single {
		m := newMode(s, "")
		m.alone = true
		all = append(all, m)
	}
	for _, s := range fromStdin {
		m := newMode(s, "")
		m.alone, m.stdin = true, true
		m.Name = strings.TrimSpace(m.Name + " -")
		all = append(all, m)
	}
	return all
}

// newMode parses a mode. The inputs are the last arguments, unless there is an @.
func newMode(text, inPlace string) Mode {
	args := words(text)
	m := Mode{Command: args[0]}
	if inPlace != "" {
		args = append(args, inPlace)
	}
	here := false
	for i, a := range args {
		here = here || a == filesHere
		switch a {
		case "-i", "-o", "--ledger", "--update-baseline":
			m.writes = true
		}
		args[i] = strings.Replace(a, "AID/", "../../../aid/", 1)
	}
	m.Name = strings.ReplaceAll(strings.Join(args[1:], " "), "../../../aid/", "")
	if !here {
		args = append(args, filesHere)
	}
	m.args = args
	return m
}

// words splits a command line at spaces, and removes quotes.
func words(text string) []string {
	var all []string
	for text = strings.TrimLeft(text, " "); text != ""; text = strings.TrimLeft(text, " ") {
		var w string
		if q := text[:1]; q == "'" || q == `"` {
			w, text, _ = strings.Cut(text[1:], q)
		} else {
			w, text, _ = strings.Cut(text, " ")
		}
		all = append(all, w)
	}
	return all
}

// cases returns the cases of a mode for inputs: one, or one for each input.
func (m Mode) cases(form string, inputs []Input) []*Case {
	c := Case{Command: m.Command, Mode: m.Name, Form: form, Args: m.args, Inputs: inputs, Stdin: m.stdin, Writes: m.writes, Alone: m.alone}
	if !m.alone {
		return []*Case{&c}
	}
	var all []*Case
	for i := range inputs {
		one := c
		one.Inputs = inputs[i : i+1]
		all = append(all, &one)
	}
	return all
}

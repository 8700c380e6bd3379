package main

import (
	"os"
	"path/filepath"
	"strings"
)

// form is a format of catalogs.
type form struct {
	name string
	ext  string
	make []string // arguments of pcat that convert rich JSON in place; nil for forms created in another way
}

// The forms of random catalogs.
var forms = []form{
	{"rich-json", ".json", nil},
	{"rich-msgpack", ".rich.msgpack", []string{"convert", "-t", "rich-msgpack"}},
	{"json", ".json", []string{"convert", "-t", "json"}},
	{"msgpack", ".msgpack", []string{"convert", "-t", "msgpack"}},
	{"stringified-json", ".stringified.json", []string{"convert", "-t", "stringified-json"}},
	{"yaml", ".yaml", []string{"convert", "-t", "yaml"}},
	{"tabulated-json", ".tabulated.json", []string{"convert", "-t", "tabulated-json"}},
	{"tabulated-msgpack", ".tabulated.msgpack", []string{"convert", "-t", "tabulated-msgpack"}},
	{"puppetdb", ".json", []string{"convert", "-t", "puppetdb", "--producer", "p.example.com", "--producer-timestamp", "2026-01-02T03:04:05Z"}},
	{agentYAML, ".yaml", nil},
	{"sealed", ".json", []string{"redact", "-t", "rich-json", "--mode", "encrypt", "--node-cert", "../../../aid/node.pem"}},
	{"gzip", ".json.gz", []string{"convert", "-t", "rich-json", "--compress", "gzip"}},
}

const agentYAML = "agent-yaml"

// made returns catalogs in a form; pcat converts them from rich JSON in folder. A catalog
// that cannot be converted stays rich JSON.
func (f form) made(base runner, folder string, rich []Input) ([]Input, error) {
	inputs := make([]Input, len(rich))
	for i, in := range rich {
		inputs[i] = Input{Name: strings.TrimSuffix(in.Name, ".json") + f.ext, Data: in.Data}
	}
	if f.make == nil {
		return inputs, nil
	}
	c := &Case{Args: append(append([]string{}, f.make...), "-q", "-i", filesHere), Inputs: inputs, Writes: true}
	result, err := base.run(c, folder, c.names())
	if err != nil {
		return nil, err
	}
	for i := range inputs {
		if data, ok := result.Files[inputs[i].Name]; ok {
			_, content, _ := strings.Cut(string(data), "\n") // the permissions
			inputs[i].Data = []byte(content)
		}
	}
	return inputs, nil
}

// filesOf returns the files below a folder, with names that include their folder.
func filesOf(folder string) ([]Input, error) {
	var all []Input
	err := filepath.WalkDir(folder, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(folder, name)
		if err != nil {
			return err
		}
		if strings.HasSuffix(rel, ".tar.gz") {
			inside, err := unpack(data)
			all = append(all, inside...)
			return err
		}
		all = append(all, Input{Name: strings.ReplaceAll(rel, string(filepath.Separator), "-"), Data: data})
		return nil
	})
	return all, err
}

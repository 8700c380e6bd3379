package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/zricethezav/gitleaks/v8/detect"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// leaked is a catalog with a token known to every scanner, in plain text and in
// base64. A candidate must find both.
const leaked = `{"name":"n","resources":[
	{"type":"File","title":"/a","parameters":{"content":"export GITHUB_TOKEN=ghp_8aK2mQ9xW4vT7nR1sL5pY3uH6jD0cB0Pn0Jm"}},
	{"type":"File","title":"/b","parameters":{"content":"ZXhwb3J0IEdJVEhVQl9UT0tFTj1naHBfOGFLMm1ROXhXNHZUN25SMXNMNXBZM3VINmpEMGNCMFBuMEpt"}}],"edges":[]}`

// depth is the decoding depth of gitleaks. pcat decodes up to 4 levels.
const depth = 3

// auditJob returns the job of searching catalogs for secrets. pcat reads each
// document twice, decodes it, tracks locations, and searches for copies of
// Sensitive values. gitleaks receives only the decoded texts.
func auditJob(name string, p *pcat, documents ...[]byte) (*job, error) {
	auditor, err := audit.New(audit.Options{Jobs: 1})
	if err != nil {
		return nil, err
	}
	texts, err := p.texts(documents)
	if err != nil {
		return nil, err
	}
	inputs := p.inputs(documents)
	size := 0
	for _, d := range documents {
		size += len(d)
	}
	ours := inProcess("pcat audit", "decoding, taint and policy included", func() (exact, error) {
		n, err := found(auditor, p.inputs([][]byte{[]byte(leaked)}))
		return unordered, both(n, err)
	}, func() error {
		_, err := found(auditor, inputs)
		return err
	})
	var scanner *detect.Detector
	theirs := inProcess("gitleaks detect, leaf by leaf", "of texts decoded before, decode depth 3", func() (exact, error) {
		var err error
		if scanner, err = detect.NewDetectorDefaultConfig(); err != nil {
			return unordered, err
		}
		scanner.MaxDecodeDepth = depth
		known, err := p.texts([][]byte{[]byte(leaked)})
		n := 0
		for _, t := range known {
			if len(scanner.DetectString(t)) > 0 {
				n++
			}
		}
		return unordered, both(n, err)
	}, func() error {
		for _, t := range texts {
			scanner.DetectString(t)
		}
		return nil
	})
	return &job{name: "audit", input: name, bytes: size, candidates: []*candidate{ours, theirs}}, nil
}

// both returns an error unless both leaks were found.
func both(n int, err error) error {
	if err == nil && n != 2 {
		err = fmt.Errorf("finds a token in %d of 2 texts", n)
	}
	return err
}

func found(a *audit.Auditor, inputs []audit.Input) (int, error) {
	r, err := a.Run(context.Background(), inputs)
	if err != nil {
		return 0, err
	}
	for _, f := range r.Failures {
		err = errors.Join(err, f)
	}
	return len(r.Findings), err
}

func (p *pcat) inputs(documents [][]byte) []audit.Input {
	inputs := make([]audit.Input, len(documents))
	for i, data := range documents {
		inputs[i] = audit.Input{Name: strconv.Itoa(i), Open: func() (*catalog.Reader, io.Closer, error) {
			return catalog.NewReaderBytes(data, p.json, serialization.DecodeOptions{}), nil, nil
		}}
	}
	return inputs
}

// texts returns the texts of documents, as pcat searches them: titles, tags, the ends of edges, and the texts and
// keys in the values of parameters. Those that are declared Sensitive are left out.
func (p *pcat) texts(documents [][]byte) ([]string, error) {
	var list []string
	for _, data := range documents {
		v, err := p.json.NewDecoder(bytes.NewReader(data), lenient()).Decode()
		if err != nil {
			return nil, err
		}
		err = pcore.Walk(v, func(at *pcore.Cursor) error {
			const inParameters = 4 // steps: the list, its element, the parameters, a parameter
			if s, ok := at.Value().(pcore.String); ok && (!at.IsKey() || len(at.Path()) > inParameters) {
				list = append(list, string(s))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// compiled reads the catalogs in folder, which Puppet compiled.
func compiled(folder string) ([][]byte, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*", "rich.json"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no catalogs in %s", folder)
	}
	var documents [][]byte
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		documents = append(documents, bytes.TrimSpace(data))
	}
	return documents, nil
}

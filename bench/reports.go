package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pcatdev/pcat/bench/gen"
	"github.com/pcatdev/pcat/internal/ruby/psych"
)

// reportJobs compare the audit and the redaction of reports with those of a catalog of the same
// length: the CPU time should be at most twice that of a catalog, and the memory of 20 MB at most
// 64 MB.
func (b *bench) reportJobs(s size) (jobs []*job, err error) {
	title, length := s.title, s.bytes
	if s.name == "medium" {
		title, length = "20 MB", 20<<20
	}
	var inCatalog, inJSON bytes.Buffer
	if err := gen.Catalog(&inCatalog, gen.Options{Seed: b.seed, Size: length}); err != nil {
		return nil, err
	}
	if err := gen.Report(&inJSON, gen.Options{Seed: b.seed, Size: length}); err != nil {
		return nil, err
	}
	inYAML, err := b.pcat.reportInYAML(b.seed, length)
	if err != nil {
		return nil, err
	}
	commands := []*job{
		{name: "command: audit of reports", input: title, bytes: length},
		{name: "command: redact of reports", input: title, bytes: length},
	}
	for i, in := range []struct {
		name string
		data []byte
	}{{"catalog.json", inCatalog.Bytes()}, {"report.json", inJSON.Bytes()}, {"report.yaml", inYAML}} {
		path := filepath.Join(b.folder, fmt.Sprintf("reports-%d-%d-%s", s.bytes, i, in.name))
		if err := os.WriteFile(path, in.data, 0o600); err != nil {
			return nil, err
		}
		commands[0].candidates = append(commands[0].candidates, b.launcher.command("pcat audit", in.name, b.command, "audit", "--fail-on", "none", path))
		commands[1].candidates = append(commands[1].candidates, b.launcher.command("pcat redact", in.name, b.command, "redact", path))
	}
	return commands, nil
}

// reportInYAML returns a report of about so many bytes in YAML, as Puppet writes it.
func (p *pcat) reportInYAML(seed uint64, length int) ([]byte, error) {
	const head = "--- !ruby/object:Puppet::Transaction::Report"
	var out bytes.Buffer
	for size := length; ; size = size * length / out.Len() { // the same report is longer or shorter in YAML
		var inJSON bytes.Buffer
		if err := gen.Report(&inJSON, gen.Options{Seed: seed, Size: size}); err != nil {
			return nil, err
		}
		report, err := p.json.Decode(inJSON.Bytes(), lenient())
		if err != nil {
			return nil, err
		}
		out.Reset()
		if err := psych.Write(&out, report, psych.Options{}); err != nil {
			return nil, err
		}
		if size != length || out.Len() == length {
			return append([]byte(head), bytes.TrimPrefix(out.Bytes(), []byte("---"))...), nil
		}
	}
}

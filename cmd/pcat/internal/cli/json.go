package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/internal/envelope"
)

// JSONFlags are the flags of a command that prints its results for programs: as one document, or
// as JSON Lines. Declare them with AddFlags.
type JSONFlags struct {
	JSON, JSONL bool
}

// AddFlags declares the flags of a command that writes its results to s as JSON Lines if Given reports
// true. With --json, they become one document. results describes them.
func (f *JSONFlags) AddFlags(cmd *cobra.Command, s *IOStreams, results string) {
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return f.document(s, func() error { return run(cmd, args) })
	}
	cmd.Flags().BoolVar(&f.JSON, "json", false, "print one JSON document with "+results)
	cmd.Flags().BoolVar(&f.JSONL, "jsonl", false, "print JSON Lines, one result per line")
}

// Given reports whether the results are for programs.
func (f *JSONFlags) Given() bool { return f.JSON || f.JSONL }

// document calls run. With --json, the lines that it writes become one document. There is none if
// run fails before the first result.
func (f *JSONFlags) document(s *IOStreams, run func() error) error {
	if !f.JSON {
		return run()
	}
	d := &jsonDocument{out: s.Out}
	s.Out = d
	err := run()
	s.Out = d.out
	if d.err != nil || CodeOf(err) > ExitFindings && !d.begun {
		return err
	}
	return errors.Join(err, d.put([]byte("\n]}\n")))
}

// jsonDocument turns JSON Lines into the results of one document.
type jsonDocument struct {
	out    io.Writer
	begun  bool
	inLine bool
	filled bool  // there is a result
	err    error // of a write
}

// put writes p after the beginning of the document.
func (d *jsonDocument) put(p []byte) error {
	if d.err != nil {
		return d.err
	}
	if !d.begun {
		d.begun = true
		head, err := json.Marshal(envelope.New(Release(), "1.0"))
		if err != nil {
			return err
		}
		p = append(append(bytes.TrimSuffix(head, []byte("}")), `,"results":[`...), p...)
	}
	_, d.err = d.out.Write(p)
	return d.err
}

// Write implements [io.Writer].
func (d *jsonDocument) Write(p []byte) (int, error) {
	var b bytes.Buffer
	for line := range bytes.Lines(p) {
		if !d.inLine {
			if d.filled {
				b.WriteByte(',')
			}
			b.WriteByte('\n')
			d.filled = true
		}
		text, ends := bytes.CutSuffix(line, []byte("\n"))
		b.Write(text)
		d.inLine = !ends
	}
	if err := d.put(b.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}

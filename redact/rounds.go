package redact

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
)

// maxRounds is the number of audits of the output before an input with findings fails.
const maxRounds = 8

// ErrRounds reports that the last of 8 audits still found secrets. The error of an input is
// a [RoundsError].
var ErrRounds = errors.New("still finding secrets after 8 passes; it was not written")

// ErrAudit reports that the output of an input cannot be audited.
var ErrAudit = errors.New("the output cannot be audited; it was not written")

// RoundsError says where the last of 8 audits still found a secret in the output of an input.
// It matches [ErrRounds], and contains no secret itself.
type RoundsError struct {
	At   catalog.Location // in the output
	Rule string           // ID of the rule of the audit
}

// Error implements error.
func (e *RoundsError) Error() string {
	text := fmt.Sprintf("%s: %v", e.Rule, ErrRounds)
	if at := e.At.String(); at != "" {
		return at + ": " + text
	}
	return text
}

// Unwrap returns [ErrRounds].
func (*RoundsError) Unwrap() error { return ErrRounds }

// CutError reports that an audit did not search all of an input, so the output may
// contain undetected secrets.
type CutError struct {
	Name     string // name of the input, masked if it contains a secret
	Location string // of the value, masked
}

func (e *CutError) Error() string {
	return fmt.Sprintf("%s: %s: the encoded value is too large to be searched for secrets", e.Name, e.Location)
}

// addFindings audits the inputs.
func (r *run) addFindings(ctx context.Context, collector *sensitive.Collector) error {
	found, err := r.audit(ctx, nil)
	if err != nil {
		return err
	}
	r.findings, r.notes = found.Findings, found.Notes
	r.note(found)
	return add(collector, found)
}

// note notes the resources that have findings, or were not searched completely.
func (r *run) note(found *audit.Report) {
	if r.doubtful == nil {
		r.doubtful = map[catalog.Ref]bool{}
	}
	for i := range found.Findings {
		r.doubtful[found.Findings[i].At.Ref] = true
	}
	for _, n := range found.Notes {
		r.doubtful[n.At.Ref] = r.doubtful[n.At.Ref] || n.Cut
	}
}

// untilClean audits the output until no secrets are found, and returns all secrets. It
// fails inputs that cannot be audited completely, and inputs in whose output secrets are
// still found after several audits.
//
// Only parts whose open texts differ from the input are audited. The others had no
// findings, and get none: the output declares no secret that the input does not declare.
func (r *run) untilClean(ctx context.Context, secrets *sensitive.Secrets) (*sensitive.Secrets, error) {
	for round := 1; round <= 2*maxRounds; round++ {
		out := r.output(secrets, false)
		found, err := r.audit(ctx, out)
		if err != nil {
			return nil, err
		}
		r.unaudited(found.Failures, out)
		if len(found.Findings) == 0 {
			return secrets, r.refuse(found.Notes, out.redactor)
		}
		r.note(found)
		more := sensitive.NewCollector(sensitive.CollectOptions{})
		if err := add(more, found); err != nil {
			return nil, err
		}
		secrets = secrets.Then(more.Secrets())
		if round >= maxRounds { // what is left to the others is audited once more
			r.unclean(found.Findings, secrets.Redactor(r.Masker))
		}
	}
	return nil, ErrRounds
}

// unaudited fails the inputs whose output was not audited, unless it fails again when it is
// written.
func (r *run) unaudited(failures []audit.Failure, out *output) {
	for _, f := range failures {
		if in := &r.inputs[f.Input]; !out.failed[in] {
			r.result.Failures[f.Input] = fmt.Errorf("%w: %w", ErrAudit, out.redactor.Err(f.Err))
		}
	}
}

// unclean fails the inputs with findings in their output.
func (r *run) unclean(findings []audit.Finding, redactor *sensitive.Redactor) {
	for i := range findings {
		if f := &findings[i]; r.result.Failures[f.Input] == nil {
			r.result.Failures[f.Input] = &RoundsError{redactor.Location(f.At), f.Rule}
		}
	}
}

// countRemaining counts the findings in the output.
func (r *run) countRemaining(ctx context.Context, secrets *sensitive.Secrets) error {
	found, err := r.audit(ctx, r.output(secrets, true))
	if err != nil {
		return err
	}
	r.result.Remaining = len(found.Findings)
	return nil
}

// audit audits the inputs that have not failed, or their output unless out is nil. The report
// has only the findings to redact.
func (r *run) audit(ctx context.Context, out *output) (*audit.Report, error) {
	var inputs []audit.Input
	var numbers []int // of the inputs
	for i := range r.inputs {
		if r.result.Failures[i] != nil {
			continue
		}
		in := &r.inputs[i]
		one := audit.Input{Name: in.Name, Open: func() (*catalog.Reader, io.Closer, error) {
			src, done, err := in.open(ctx)
			if err == nil && out != nil {
				src, done = out.of(ctx, in, src, done)
			}
			return src, done, err
		}}
		if out != nil {
			one.Markers = out.redactor.Markers
		}
		inputs, numbers = append(inputs, one), append(numbers, i)
	}
	search := r.Audit.Run
	if out != nil {
		search = r.Audit.RunRedacted
	}
	found, err := search(ctx, inputs)
	if err != nil {
		return nil, err
	}
	found.Findings = slices.DeleteFunc(found.Findings, func(f audit.Finding) bool { return !isReplaced(&f) })
	for i := range found.Findings {
		found.Findings[i].Input = numbers[found.Findings[i].Input]
	}
	for i := range found.Failures {
		found.Failures[i].Input = numbers[found.Failures[i].Input]
	}
	return found, nil
}

// isReplaced reports whether a finding is about a secret in plain text, and not about a
// practice, a declared secret, or the text that Puppet writes instead of a secret.
func isReplaced(f *audit.Finding) bool {
	if f.Secret == nil || f.Class != rule.Leak && f.Spelled == nil {
		return false
	}
	return !pcore.Identical(f.Secret, pcore.NewSensitive(pcore.String(pcore.RedactedText)))
}

// output provides the output of inputs for an audit: all of it, or its changed parts.
type output struct {
	mu       sync.Mutex // held while an output is read
	redactor *sensitive.Redactor
	whole    bool
	doubtful map[catalog.Ref]bool // resources to audit in any case
	changed  map[*Input]bool      // false for inputs that were read to their end without a change
	failed   map[*Input]bool      // inputs that could not be redacted; they fail again when written
}

// output returns the output of the inputs without some secrets.
func (r *run) output(secrets *sensitive.Secrets, whole bool) *output {
	r.changed = map[*Input]bool{}
	return &output{redactor: secrets.Redactor(r.Masker), whole: whole, doubtful: r.doubtful, changed: r.changed, failed: map[*Input]bool{}}
}

// of returns a reader of the output of an input.
func (o *output) of(ctx context.Context, in *Input, src *catalog.Reader, done io.Closer) (*catalog.Reader, io.Closer) {
	o.mu.Lock()
	format, layout := in.target(src)
	layout.Secrets = serialization.PlainSecrets
	r, w := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		parts := &changedParts{output: o}
		err := parts.copy(ctx, catalog.NewWriter(w, format, layout), src)
		o.changed[in] = parts.any || err != nil
		_ = w.CloseWithError(err) // never fails
		ended <- err
	}()
	return catalog.NewReader(r, format, serialization.DecodeOptions{}), closer(func() error {
		defer o.mu.Unlock()
		_ = r.Close() // never fails
		if err := <-ended; err != nil && !errors.Is(err, io.ErrClosedPipe) {
			o.failed[in] = true
		}
		return done.Close()
	})
}

// changedParts redacts a catalog and drops the resources and edges that need no audit.
type changedParts struct {
	*output
	any bool // some part changed
}

// copy writes the parts of src that need an audit to dst, and closes it.
func (p *changedParts) copy(ctx context.Context, dst *catalog.Writer, src *catalog.Reader) error {
	if p.whole {
		return catalog.Copy(ctx, dst, src, p)
	}
	isDoubtful := func(typ, title []byte) bool {
		return p.doubtful[catalog.Ref{Type: string(typ), Title: string(title)}]
	}
	for part, err := range p.redactor.Affected(src, isDoubtful) {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		part, keep, err := catalog.Apply(ctx, p, part)
		if err == nil && keep {
			err = dst.Write(part)
		}
		if err != nil {
			return err
		}
	}
	return dst.Close()
}

// Resource implements [catalog.Transform].
func (p *changedParts) Resource(ctx context.Context, res *catalog.Resource) (*catalog.Resource, error) {
	copies := p.redactor.Counts().Copies
	to, err := p.redactor.Resource(ctx, res)
	p.any = p.any || to != res
	if err != nil || to == nil {
		return nil, err
	}
	if p.whole || p.redactor.Counts().Copies > copies || to != res && mayHaveCalls(to) || len(p.doubtful) > 0 && p.doubtful[res.Ref()] {
		return to, nil
	}
	return nil, nil //nolint:nilnil // drops it: only declared secrets changed
}

// mayHaveCalls reports whether a resource may have a Deferred, in which an encrypted secret
// is plain text for an audit.
func mayHaveCalls(res *catalog.Resource) bool {
	raw := res.Bytes()
	return raw == nil || bytes.Contains(raw, []byte("Deferred"))
}

// Edge implements [catalog.EdgeTransform].
func (p *changedParts) Edge(ctx context.Context, e *catalog.Edge) (*catalog.Edge, error) {
	to, err := p.redactor.Edge(ctx, e)
	p.any = p.any || to != e
	if err != nil || to == e && !p.whole {
		return nil, err
	}
	return to, nil
}

// Member implements [catalog.MemberTransform].
func (p *changedParts) Member(ctx context.Context, m *catalog.Member) (*catalog.Member, error) {
	to, err := p.redactor.Member(ctx, m)
	p.any = p.any || to != m
	return to, err
}

// refuse fails the inputs whose output may contain undetected secrets.
func (r *run) refuse(notes []audit.Note, redactor *sensitive.Redactor) error {
	for _, n := range notes {
		if !n.Cut {
			continue
		}
		err := &CutError{Name: n.Catalog, Location: redactor.Location(n.At).String()}
		i := slices.IndexFunc(r.inputs, func(in Input) bool { return in.Name == n.Catalog })
		if i < 0 {
			return err // the name contains a secret and is masked
		}
		r.result.Failures[i] = err
	}
	return nil
}

// add adds the findings of an audit to collector. A weak or default password is replaced
// only where it was found.
func add(collector *sensitive.Collector, found *audit.Report) error {
	for i := range found.Findings {
		f := &found.Findings[i]
		err := collector.Add(sensitive.Found{
			Secret: f.Secret, Spelled: f.Spelled, At: f.At, Start: f.Start, Again: f.Again, Rule: f.Rule,
			InPlace: f.Class != rule.Leak, Doubtful: f.Confidence == rule.Possible,
		})
		if err != nil {
			return fmt.Errorf("%s: %w", f.Rule, err)
		}
	}
	return nil
}

package conformance

import (
	"context"
	"fmt"

	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// deferred resolves a document, in each mode for which the case has an answer.
func (l *language) deferred(c *Case) error {
	if err := l.deferredIn(c, c.Expect, l.strict(), deferred.Eager); err != nil {
		return err
	}
	for _, other := range []struct {
		answer   string
		language eval.Mode
		mode     deferred.Mode
	}{
		{"expect_lax", l.lax(), deferred.Eager},
		{"expect_lazy_puppet8", l.strict(), deferred.Lazy},
		{"expect_lazy", l.strict(), deferred.Lazy},
	} {
		if other.answer == "expect_lazy" && deferred.Like(l.reference) != deferred.Lazy {
			continue // Puppet 7 was asked, which pcat follows only in the mode that is its default
		}
		want, ok := c.Answer(other.answer)
		if !ok {
			continue
		}
		if err := l.deferredIn(c, want, other.language, other.mode); err != nil {
			return fmt.Errorf("%s: %w", other.answer, err)
		}
	}
	return nil
}

func (l *language) deferredIn(c *Case, want Answer, language eval.Mode, mode deferred.Mode) error {
	v, err := l.resolved(c, language, mode)
	return want.Check(err, func() error { return sameValue(want, v) })
}

func (l *language) resolved(c *Case, language eval.Mode, mode deferred.Mode) (pcore.Value, error) {
	types, err := l.types(c)
	if err != nil {
		return nil, err
	}
	options := serialization.DecodeOptions{Types: richdata.Types{Resolver: types}}
	doc, err := formats.RichJSON().Decode(c.Raw("doc"), options)
	if err != nil {
		return nil, err
	}
	r := &deferred.Resolver{
		Functions: l.functions,
		Policy:    deferred.Policy{Effects: function.ReadsFiles},
		Types:     types,
		Language:  language,
		Mode:      mode,
		Faithful:  true,
		World:     function.Env{Files: function.Tree{Folders: []string{"/"}}, Budget: function.NewBudget(5_000_000)},
	}
	if facts := c.Raw("facts"); facts != nil {
		v, err := formats.RichJSON().Decode(facts, options)
		if err != nil {
			return nil, err
		}
		r.Facts, _ = v.(*pcore.Hash)
	}
	return r.Resolve(context.Background(), doc)
}

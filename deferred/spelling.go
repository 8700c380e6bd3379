package deferred

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// AgentSpelling changes a catalog to the spelling of an agent that reads and rewrites
// it, resolved or not. It is a stateless [catalog.EdgeTransform].
//
//   - In types, and in titles of classes, every segment begins with a capital
//     letter: Class[main] becomes Class[Main], also in edges.
//   - A parameter name that equals the title is omitted as redundant. A server
//     does not omit it for Stage[main].
//
// These are all the changes for a catalog that a server compiled. An agent also
// omits the naming parameter of types written in Ruby, such as the path of a
// File, but the server has already done so.
type AgentSpelling struct{}

// Resource implements [catalog.Transform].
func (AgentSpelling) Resource(_ context.Context, res *catalog.Resource) (*catalog.Resource, error) {
	ref := storedRef(res.Ref())
	if ref.Type != res.Type() {
		res = res.With("type", pcore.String(ref.Type))
	}
	if ref.Title != res.Title() {
		res = res.WithTitle(ref.Title)
	}
	name, ok, err := res.RevealParameter("name") //nolint:forbidigo // compared with the title
	if err != nil {
		return nil, err
	}
	if !ok || name != pcore.Value(pcore.String(ref.Title)) {
		return res, nil
	}
	if res = res.WithoutParameter("name"); len(res.ParameterNames()) == 0 {
		res = res.Without("parameters")
	}
	return res, nil
}

// Edge implements [catalog.EdgeTransform].
func (AgentSpelling) Edge(_ context.Context, e *catalog.Edge) (*catalog.Edge, error) {
	source, target := storedRef(e.Source()), storedRef(e.Target())
	if source == e.Source() && target == e.Target() {
		return e, nil
	}
	return e.With(source, target), nil
}

func storedRef(ref catalog.Ref) catalog.Ref {
	ref.Type = capitalized(ref.Type)
	if ref.Type == "Class" {
		ref.Title = capitalized(ref.Title)
	}
	return ref
}

// capitalized capitalizes each segment of a name and converts the rest of it to
// lower case, unless the name already begins with a capital letter.
func capitalized(name string) string {
	if name != "" && name[0] >= 'A' && name[0] <= 'Z' {
		return name
	}
	segments := strings.Split(name, "::")
	for i, s := range segments {
		first, n := utf8.DecodeRuneInString(s)
		if n > 0 && first != utf8.RuneError {
			segments[i] = string(unicode.ToTitle(first)) + strings.ToLower(s[n:])
		}
	}
	return strings.Join(segments, "::")
}

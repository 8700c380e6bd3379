package compile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/internal/address"
	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/ruby/psych"
	"github.com/pcatdev/pcat/internal/rundata"
	"github.com/pcatdev/pcat/internal/source"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// Facts are the data of one node that a catalog depends on.
type Facts struct {
	// Values are the facts.
	Values *pcore.Hash
	// Extensions are the ones of the certificate, such as pp_role, which are
	// $trusted['extensions'].
	Extensions *pcore.Hash
	// External are $trusted['external'].
	External *pcore.Hash
}

// FactSource has the facts of nodes. Implementations are safe for concurrent use.
type FactSource interface {
	// Nodes returns the certnames of all nodes, sorted.
	Nodes(ctx context.Context) ([]string, error)
	// Facts returns the facts of one node. Missing facts are an error, because a catalog
	// without facts would be another one.
	Facts(ctx context.Context, node string) (*Facts, error)
	// String names the source in messages.
	String() string
}

// FilesFacts returns the facts in a file of one node, or in a directory with a file for each node,
// called CERTNAME.json or CERTNAME.yaml. The files are the output of facter, of puppet
// facts, of PuppetDB, or the cache of an agent or a server.
func FilesFacts(path string) FactSource { return filesFacts(path) }

type filesFacts string

// String implements FactSource.
func (f filesFacts) String() string { return string(f) }

// factExtensions returns the extensions of files with facts.
func factExtensions() []string { return []string{".json", ".yaml", ".yml"} }

// Nodes implements FactSource.
func (f filesFacts) Nodes(context.Context) ([]string, error) {
	info, err := os.Stat(string(f))
	if err != nil {
		return nil, fmt.Errorf("facts: %w", err)
	}
	if !info.IsDir() {
		node, _, err := f.read(string(f))
		if err != nil {
			return nil, err
		}
		return []string{node}, nil
	}
	entries, err := os.ReadDir(string(f))
	if err != nil {
		return nil, fmt.Errorf("facts: %w", err)
	}
	var names []string
	for _, e := range entries {
		name, ok := factName(e.Name())
		if ok && !e.IsDir() && !strings.HasPrefix(name, ".") {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("facts: %s contains no file called CERTNAME.json or CERTNAME.yaml", f)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// factName returns the certname in the name of a file with facts: in lower case, as all certnames.
func factName(file string) (string, bool) {
	for _, extension := range factExtensions() {
		if name, ok := strings.CutSuffix(file, extension); ok {
			name = strings.ToLower(name)
			return name, address.IsCertname(name)
		}
	}
	return "", false
}

// Facts implements FactSource.
func (f filesFacts) Facts(_ context.Context, node string) (*Facts, error) {
	info, err := os.Stat(string(f))
	if err != nil {
		return nil, fmt.Errorf("facts: %w", err)
	}
	if !info.IsDir() {
		_, facts, err := f.read(string(f))
		return facts, err
	}
	file, err := f.find(node)
	if err != nil {
		return nil, fmt.Errorf("facts: %w", err)
	}
	if file != "" {
		_, facts, err := f.read(file)
		return facts, err
	}
	return nil, fmt.Errorf("no facts of %q in %s: add %s, the output of `facter --json` or `puppet facts` there", node, f, filepath.Join(string(f), node+".json"))
}

// find returns the file of a node in the directory, or "" if there is none. The name of the file can be in upper case.
func (f filesFacts) find(node string) (string, error) {
	for _, extension := range factExtensions() {
		file := filepath.Join(string(f), node+extension)
		if _, err := os.Stat(file); err == nil {
			return file, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	entries, err := os.ReadDir(string(f))
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		if name, ok := factName(e.Name()); ok && name == node && !e.IsDir() {
			return filepath.Join(string(f), e.Name()), nil
		}
	}
	return "", nil
}

// read reads a file, and returns the certname that it is about.
func (f filesFacts) read(file string) (string, *Facts, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", nil, fmt.Errorf("facts: %w", err)
	}
	name, _ := factName(filepath.Base(file))
	found, facts, err := parseFacts(data)
	if err != nil {
		return "", nil, fmt.Errorf("facts: %s: %w", file, err)
	}
	if found = strings.ToLower(found); found != "" && address.IsCertname(found) {
		name = found
	}
	if name == "" {
		return "", nil, fmt.Errorf("facts: %s: it does not say of which node they are; call it CERTNAME.json", file)
	}
	return name, facts, nil
}

// rubyTag is a tag of Puppet's YAML, such as !ruby/object:Puppet::Node::Facts.
var rubyTag = lazyregexp.New(`(?m)((?:^---|: |- ))\s*!ruby/\S+`)

// parseFacts parses a document with facts, and returns the certname in it, if it has one.
func parseFacts(data []byte) (string, *Facts, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	var value pcore.Value
	var err error
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		value, err = plainJSON(data)
	} else {
		value, _, err = psych.Load(rubyTag.Get().ReplaceAllString(string(data), "$1"))
	}
	if err != nil {
		return "", nil, err
	}
	doc, ok := value.(*pcore.Hash)
	if !ok {
		return "", nil, errors.New("expected a map from names of facts to values")
	}
	return shapeFacts(doc)
}

// plainJSON decodes data without a meaning of __ptype.
func plainJSON(data []byte) (pcore.Value, error) {
	return formats.RichJSON().Decode(data, serialization.DecodeOptions{Plain: true})
}

// shapeFacts returns the certname in a document with facts, if it has one, and the facts.
func shapeFacts(doc *pcore.Hash) (string, *Facts, error) {
	values, name, err := rundata.FactsOf(doc)
	if err != nil {
		return "", nil, err
	}
	trusted, ok := rundata.Member[*pcore.Hash](values, trustedKey)
	if !ok {
		trusted, _ = rundata.Member[*pcore.Hash](doc, trustedKey)
	}
	var facts Facts
	facts.Extensions, _ = rundata.Member[*pcore.Hash](trusted, "extensions")
	facts.External, _ = rundata.Member[*pcore.Hash](trusted, "external")
	facts.Values = without(values, trustedKey)
	if facts.Values.Len() == 0 {
		return "", nil, errors.New("it contains no facts")
	}
	return name, &facts, nil
}

// trustedKey is the variable with the data of the certificate, which can be among the facts.
const trustedKey = "trusted"

// without returns a hash without a key.
func without(h *pcore.Hash, key string) *pcore.Hash {
	b := pcore.NewHashBuilder(h.Len())
	for k, v := range h.All() {
		if k != pcore.Value(pcore.String(key)) {
			b.Set(k, v)
		}
	}
	return b.Hash()
}

// StoredFacts returns the facts in PuppetDB. query selects the nodes, as in an address of
// PuppetDB; empty means all active ones. They are the values as PuppetDB has them.
// Each node is asked for once.
func StoredFacts(client *source.Client, query string) FactSource {
	return &storedFacts{client: client, query: query, answers: make(map[string]func() (*Facts, error))}
}

type storedFacts struct {
	client  *source.Client
	query   string
	mu      sync.Mutex
	answers map[string]func() (*Facts, error) // by node
}

// String implements FactSource.
func (s *storedFacts) String() string {
	return source.Address{System: source.PuppetDB, Query: s.query}.String()
}

// Nodes implements FactSource.
func (s *storedFacts) Nodes(ctx context.Context) ([]string, error) {
	all, err := s.client.List(ctx, source.Address{System: source.PuppetDB, Query: s.query})
	names := make([]string, len(all))
	for i, a := range all {
		names[i] = a.Node
	}
	return names, err
}

// Facts implements FactSource.
func (s *storedFacts) Facts(ctx context.Context, node string) (*Facts, error) {
	s.mu.Lock()
	ask := s.answers[node]
	if ask == nil {
		ask = sync.OnceValues(func() (*Facts, error) { return s.ask(ctx, node) })
		s.answers[node] = ask
	}
	s.mu.Unlock()
	return ask()
}

// ask asks PuppetDB for the facts of a node.
func (s *storedFacts) ask(ctx context.Context, node string) (*Facts, error) {
	found, err := s.client.Inventory(ctx, node)
	if err != nil {
		return nil, fmt.Errorf("facts: %w", err)
	}
	doc := pcore.NewHashBuilder(3) //nolint:mnd // the members
	doc.SetString("certname", pcore.String(node))
	for name, data := range map[string][]byte{"facts": found.Facts, trustedKey: found.Trusted} {
		value, err := plainJSON(data)
		if err != nil {
			return nil, fmt.Errorf("facts of %q in PuppetDB: %w", node, err)
		}
		doc.SetString(name, value)
	}
	_, facts, err := shapeFacts(doc.Hash())
	if err != nil {
		err = fmt.Errorf("facts of %q in PuppetDB: %w", node, err)
	}
	return facts, err
}

// Override returns facts with another value of one. A name with dots is a fact in a fact,
// such as os.release.major. f is not changed.
func (f *Facts) Override(name string, value pcore.Value) *Facts {
	changed := *f
	changed.Values = set(f.Values, strings.Split(name, "."), value)
	return &changed
}

// set returns a hash with another value at the path.
func set(h *pcore.Hash, path []string, value pcore.Value) *pcore.Hash {
	if len(path) > 1 {
		inner, _ := rundata.Member[*pcore.Hash](h, path[0])
		value = set(inner, path[1:], value)
	}
	b := pcore.NewHashBuilder(h.Len() + 1)
	for k, v := range h.All() {
		b.Set(k, v)
	}
	b.SetString(path[0], value)
	return b.Hash()
}

// Package fleettest makes catalogs for tests of a fleet, computes the report that the fleet
// must have for them, and keeps logs.
package fleettest

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit"
)

// strong and weak are the secrets of all catalogs, so that they have copies of each
// other's.
var strong = []string{
	"k9FzQ2mTx8Lw0vR4", "bq3ZZdk-77Gmmm5", "mk8QQzz-42Bddd9", "walrus-trombone-cinnamon", "gz4KKbd-93Qkkk6", "83920174650371",
}

var weak = []string{"hunter7", "elastic7", "icingaweb2", "changeme"}

// resources are resources with secrets: <X> is a strong one, <W> a weak one.
var resources = []string{
	`{"type":"Class","title":"Db","parameters":{"root_password":"<X>","port":5432}}`,
	`{"type":"Class","title":"Weak","parameters":{"admin_password":"<W>"}}`,
	`{"type":"File","title":"/etc/app.ini","parameters":{"content":"[db]\npassword = <X>\nport = 1\n"}}`,
	`{"type":"Exec","title":"load","parameters":{"command":"mysql -u root -p<X> inventory"}}`,
	`{"type":"Archive","title":"/srv/meadow","parameters":{"source":"https://deploy:<X>@files.example.com/meadow"}}`,
	`{"type":"Class","title":"Own","parameters":{"secret":"<X>"},"sensitive_parameters":["secret"]}`,
	`{"type":"Class","title":"Other","parameters":{"secret":"<X>"},"sensitive_parameters":["secret"]}`,
	`{"type":"Class","title":"Soft","parameters":{"secret":"<W>"},"sensitive_parameters":["secret"]}`,
	`{"type":"File","title":"/etc/copy","parameters":{"content":"colour <X> shape"}}`,
	`{"type":"Class","title":"Named","parameters":{"colour":"<W>","shape":["<X>"]}}`,
	`{"type":"Package","title":"elastic7","parameters":{}}`,
	`{"type":"File","title":"/opt/hunter7","parameters":{}}`,
	`{"type":"File","title":"/srv/hunter7/x","parameters":{}}`,
	`{"type":"Notify","title":"<X>","tags":["<X>"],"parameters":{"message":{"<X>":"<X>"}},"exported":true}`,
	`{"type":"File","title":"/etc/shown","parameters":{"content":"password=<X>","show_diff":true}}`,
}

// Secrets returns the secrets that the catalogs contain, without words.
func Secrets() []string { return slices.Clone(strong) }

// Catalog returns a random catalog of a node. One in twenty is cut off.
func Catalog(r *rand.Rand, node string) []byte {
	text := Whole(r, node)
	if r.IntN(20) == 0 {
		text = text[:len(text)-1-r.IntN(min(len(text)-1, 60))]
	}
	return text
}

// Whole returns a random catalog of a node.
func Whole(r *rand.Rand, node string) []byte {
	var list []string
	for _, i := range r.Perm(len(resources))[:r.IntN(8)] {
		text := strings.ReplaceAll(resources[i], "<X>", strong[r.IntN(len(strong))])
		list = append(list, strings.ReplaceAll(text, "<W>", weak[r.IntN(len(weak))]))
	}
	return fmt.Appendf(nil, `{"name":%q,"version":%d,"environment":"production","resources":[%s],"edges":[]}`, node, r.IntN(1000), strings.Join(list, ","))
}

// Report returns the report of one audit over all documents, by the names of the inputs.
func Report(documents map[string][]byte, key []byte) (*audit.Report, error) {
	auditor, err := audit.New(audit.Options{Key: key})
	if err != nil {
		return nil, err
	}
	var inputs []audit.Input
	for _, name := range slices.Sorted(maps.Keys(documents)) {
		inputs = append(inputs, audit.Document(name, documents[name]))
	}
	return auditor.Run(context.Background(), inputs)
}

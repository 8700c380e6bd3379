package sensitive

import (
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/sensitive/secret"
)

// Report says how catalogs were redacted. It holds no secret: titles and keys in
// places are those of the output.
type Report struct {
	// Secrets is the number of different texts that were followed.
	Secrets int `json:"secrets"`
	Counts
	// NotFollowed lists the secrets of which copies were not looked for.
	NotFollowed []NotFollowed `json:"not_followed"`
}

// Counts are the numbers of replacements that a [Redactor] made.
type Counts struct {
	// Places is the number of parameters and Sensitives whose value was
	// replaced or left out.
	Places int `json:"places"`
	// Copies is the number of places elsewhere where a secret was replaced.
	Copies int `json:"copies"`
}

// Add adds the replacements of another Redactor.
func (c *Counts) Add(other Counts) {
	c.Places += other.Places
	c.Copies += other.Copies
}

// NotFollowed is a secret that was replaced in its own place only.
type NotFollowed struct {
	At     catalog.Location `json:"-"`
	Place  string           `json:"place"` // At as text
	Reason secret.Reason    `json:"reason"`
}

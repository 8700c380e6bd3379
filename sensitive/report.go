package sensitive

import (
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/sensitive/secret"
)

// Report tells what a [Redactor] did. It holds no secret: titles and keys in
// places are those of the output.
type Report struct {
	// Secrets is the number of different texts that were followed.
	Secrets int `json:"secrets"`
	// Places is the number of parameters and Sensitives whose value was
	// replaced or left out.
	Places int `json:"places"`
	// Copies is the number of places elsewhere where a secret was replaced.
	Copies int `json:"copies"`
	// NotFollowed lists the secrets of which copies were not looked for.
	NotFollowed []NotFollowed `json:"not_followed"`
}

// NotFollowed is a secret that was replaced in its own place only.
type NotFollowed struct {
	At     catalog.Location `json:"-"`
	Place  string           `json:"place"` // At as text
	Reason secret.Reason    `json:"reason"`
}

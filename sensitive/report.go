package sensitive

import "github.com/pcatdev/pcat/catalog"

// Report describes the redaction of catalogs. It contains no secrets: titles and keys in
// locations are those of the output.
type Report struct {
	// Secrets is the number of different texts that were followed. A number is one of them, however it is spelled.
	Secrets int `json:"secrets"`
	Counts
	// NotFollowed lists the secrets whose copies were not searched for.
	NotFollowed []NotFollowed `json:"not_followed"`
}

// Counts are the numbers of replacements made by a [Redactor].
type Counts struct {
	// Locations is the number of parameters and Sensitives whose value was replaced or
	// removed.
	Locations int `json:"locations"`
	// Copies is the number of other occurrences that were replaced.
	Copies int `json:"copies"`
}

// Add adds the replacements of another Redactor.
func (c *Counts) Add(other Counts) {
	c.Locations += other.Locations
	c.Copies += other.Copies
}

// NotFollowed is a secret that was replaced only in its own location.
type NotFollowed struct {
	At       catalog.Location `json:"-"`
	Location string           `json:"location"` // At as text
	Reason   string           `json:"reason"`   // for people, such as "too short"
}

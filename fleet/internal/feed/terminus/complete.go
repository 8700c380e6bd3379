package terminus

import (
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/feed"
)

// CompletePrefix begins the names of the feeds of complete catalogs.
const CompletePrefix = "compiler:"

// Complete returns the name of the feed of the complete catalogs of an environment. A node
// can have a catalog in each: an agent tries a branch with `puppet agent --environment`,
// and its catalog must not replace the one that the node runs.
func Complete(environment string) string { return CompletePrefix + environment }

// richJSON is the media type of complete catalogs.
const richJSON = "application/vnd.puppet.rich+json"

// delivery has the parameters of a complete catalog.
type delivery struct {
	node, environment string
	transaction       string // of the agent's run, for the log
	produced          time.Time
}

// complete receives a complete catalog:
//
//	POST /feed/v1/catalogs/NODE?environment=ENVIRONMENT&transaction=UUID&produced=TIME
//
// The body is rich JSON, also compressed with gzip. The answers 400, 413 and 415 are about
// the catalog, and it is useless to send it again; others are about the state of pcatd.
func (h *handler) complete(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	ctx, cancel := h.limit(w, r, h.o.CompleteTimeout)
	defer cancel()
	d, err := parseDelivery(r)
	outcome := Stored
	if err == nil {
		err = h.put(ctx, r, feed.Catalog{Feed: Complete(d.environment), Node: d.node, Produced: d.produced}, d.check)
	}
	if errors.Is(err, errEmpty) {
		outcome, err = Ignored, nil
	}
	if err == nil {
		answer(w, http.StatusOK, map[string]any{"outcome": outcome})
		h.o.Observe(outcome, time.Since(start))
		return
	}
	failed := h.unaccepted(w, r, err, func(f *failure) int {
		switch {
		case errors.Is(f, errTooLarge):
			return http.StatusRequestEntityTooLarge
		case f.outcome == Refused && f.status == http.StatusInternalServerError:
			return http.StatusBadRequest
		}
		return f.status
	})
	h.o.Log.Warn("complete catalog not accepted", "node", d.node, "environment", d.environment, "transaction", d.transaction,
		"outcome", string(failed.outcome), "error", failed.Error())
	h.o.Observe(failed.outcome, time.Since(start))
}

var (
	errMediaType = &failure{Refused, http.StatusUnsupportedMediaType, errors.New("the content type must be " + richJSON)}
	errEmpty     = &failure{Ignored, http.StatusOK, errors.New("a catalog without resources")}
)

// parseDelivery reads the parameters of a complete catalog.
func parseDelivery(r *http.Request) (delivery, error) {
	query := r.URL.Query()
	d := delivery{node: r.PathValue("node"), environment: query.Get("environment"), transaction: query.Get("transaction")}
	if !isCertname(d.node) {
		return delivery{}, refuse("the node is no certname")
	}
	if !isEnvironment(d.environment) {
		return delivery{node: d.node}, refuse("environment is missing, or no environment")
	}
	if !isTransaction(d.transaction) {
		d.transaction = ""
		return d, refuse("transaction is not a UUID")
	}
	var err error
	if d.produced, err = produced(query, "produced"); err != nil {
		return d, refuse("%w", err)
	}
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != richJSON {
		return d, errMediaType
	}
	return d, nil
}

// isEnvironment reports whether Puppet accepts the name of an environment.
func isEnvironment(name string) bool {
	return name != "" && len(name) <= 255 && strings.Trim(name, "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// isTransaction reports whether a text can be the UUID of a run, or is empty.
func isTransaction(text string) bool {
	return len(text) <= 36 && strings.Trim(text, "-0123456789abcdefABCDEF") == ""
}

// check checks the data of a complete catalog. An agent that asks for another environment
// than it has gets a catalog without resources, and then asks again.
func (d *delivery) check(data []byte) error {
	var c struct {
		Name        string     `json:"name"`
		Environment string     `json:"environment"`
		Resources   []struct{} `json:"resources"` // they take no memory
	}
	err := json.Unmarshal(data, &c)
	switch {
	case err != nil: // its text may contain values
		return refuse("the body is not a catalog in rich JSON")
	case c.Name != d.node:
		return refuse("the catalog has another name than its node")
	case c.Environment != d.environment:
		return refuse("the catalog has another environment")
	case len(c.Resources) == 0:
		return errEmpty
	}
	return nil
}

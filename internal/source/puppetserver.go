package source

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// richJSON is the media type of a catalog with rich values.
const richJSON = "application/vnd.puppet.rich+json"

// compile returns a catalog that Puppet Server compiles for the request.
func (c *Client) compile(ctx context.Context, a Address, limit int64) ([]byte, error) {
	host, configuredBy := c.settings.Server, "server in puppet.conf, or use --setting server=HOST"
	if a.Host != "" {
		host, configuredBy = withPort(a.Host, "8140"), "the address"
	}
	conn, err := c.connection(PuppetServer, "https://"+host, configuredBy)
	if err != nil {
		return nil, err
	}
	api := a.API
	if api == "" {
		api = apiV4
		if c.isOwn(a) {
			api = apiV3
		}
	}
	if api == apiV3 {
		return c.compileV3(ctx, conn, a, limit)
	}
	return c.compileV4(ctx, conn, a, limit)
}

// isOwn reports whether an address names the catalog that the agent of this node would ask for.
func (c *Client) isOwn(a Address) bool {
	return a.Node == c.settings.Certname && orElse(a.Environment, c.settings.Environment) == c.settings.Environment
}

// compileV3 asks as the agent of the node does.
func (c *Client) compileV3(ctx context.Context, conn *connection, a Address, limit int64) ([]byte, error) {
	environment := orElse(a.Environment, c.settings.Environment)
	if !c.isOwn(a) {
		c.warn("API v3 stores the catalogs that it compiles: in PuppetDB, they replace the catalogs of the nodes and the resources they export; $trusted describes the client certificate, not the node")
	}
	// Without facts in the request, the server uses the last ones that it knows.
	return conn.do(ctx, request{
		path:   "/puppet/v3/catalog/" + url.PathEscape(a.Node) + "?" + url.Values{"environment": {environment}}.Encode(),
		accept: richJSON + ", application/json",
		limit:  limit,
	})
}

// compileV4 asks for a catalog that is not stored.
func (c *Client) compileV4(ctx context.Context, conn *connection, a Address, limit int64) ([]byte, error) {
	known, err := c.Inventory(ctx, a.Node)
	if err != nil {
		var failed *Error
		// A catalog without the facts of its node is another one, so that a PuppetDB that
		// is configured must answer.
		if !errors.As(err, &failed) || failed.Reason != NotFound && !(c.settings.puppetDBAssumed && failed.Reason == NoServer) {
			return nil, fmt.Errorf("the facts of %q: %w", a.Node, err)
		}
		if failed.Reason != NotFound {
			c.warn("no PuppetDB to ask for facts (" + failed.Error() + "): Puppet Server uses the ones that it knows")
		}
		known = &Inventory{}
	}
	type values struct {
		Values json.RawMessage `json:"values"`
	}
	body := struct {
		Certname    string          `json:"certname"`
		Environment string          `json:"environment"`
		Persistence map[string]bool `json:"persistence"`
		Facts       *values         `json:"facts,omitempty"`
		Trusted     *values         `json:"trusted_facts,omitempty"`
		Options     map[string]bool `json:"options"`
	}{
		Certname:    a.Node,
		Environment: orElse(orElse(a.Environment, known.Environment), c.settings.Environment),
		Persistence: map[string]bool{"facts": false, "catalog": false},
		Options:     map[string]bool{"prefer_requested_environment": true},
	}
	if isObject(known.Facts) {
		body.Facts = &values{known.Facts}
	}
	if isObject(known.Trusted) {
		body.Trusted = &values{known.Trusted}
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	c.warn("API v4 returns rich values and calls of Deferred functions as text")
	data, err := conn.do(ctx, request{
		method: http.MethodPost, path: "/puppet/v4/catalog", body: text, contentType: "application/json", limit: limit,
	})
	if err != nil {
		return nil, err
	}
	var answer struct {
		Catalog json.RawMessage `json:"catalog"`
	}
	if err := json.Unmarshal(data, &answer); err != nil || answer.Catalog == nil {
		return nil, &Error{System: PuppetServer, Host: conn.host, Reason: CutOff, Err: errors.New("the answer is not a complete catalog")}
	}
	return answer.Catalog, nil
}

// isObject reports whether a member of an answer is there: PuppetDB writes null for unknown members.
func isObject(text json.RawMessage) bool { return len(text) > 0 && text[0] == '{' }

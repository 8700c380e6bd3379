package vault

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"
	"github.com/hashicorp/vault/api"

	"github.com/pcatdev/pcat/internal/backoff"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// The bounds of requests.
const (
	connectTime = 10 * time.Second
	answerTime  = 30 * time.Second
	answerSize  = 32 << 20         // bytes; Vault itself refuses larger requests to store a secret
	wholeTime   = 60 * time.Second // with the answer, of one attempt
	retries     = 3
)

// errNoData is returned for an answer that is not a secret.
var errNoData = errors.New("error parsing json secret data from vault response")

// client sends requests to one address, with one configuration of TLS.
type client struct{ config *api.Config }

// client returns the client for an address.
func (v *Vault) client(address *url.URL) (*client, error) {
	base := address.Scheme + "://" + address.Host
	v.mu.Lock()
	defer v.mu.Unlock()
	if found := v.clients[base]; found != nil {
		return found, nil
	}
	transport := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: connectTime}).DialContext,
		TLSHandshakeTimeout:   connectTime,
		ResponseHeaderTimeout: answerTime,
		ForceAttemptHTTP2:     true,
	}
	if address.Scheme == "https" && v.options.TLS != nil {
		config, err := v.options.TLS()
		if err != nil {
			return nil, err
		}
		transport.TLSClientConfig = config
	}
	made := &client{&api.Config{
		Address:          base,
		HttpClient:       &http.Client{Transport: transport, Timeout: wholeTime, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		MaxRetries:       retries,
		CheckRetry:       retryable,
		Backoff:          wait,
		DisableRedirects: true,
	}}
	v.clients[base] = made
	return made, nil
}

// retryable reports whether a request is sent again. A host that cannot be reached is not
// asked again, and nothing is if the caller makes the call again.
func retryable(ctx context.Context, answer *http.Response, err error) (bool, error) {
	if function.IsSingleAttempt(ctx) {
		return false, err
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return false, err
	}
	return api.DefaultRetryPolicy(ctx, answer, err)
}

// wait returns the time before a request is sent again, as the answer asks for, within bounds.
func wait(least, most time.Duration, attempt int, answer *http.Response) time.Duration {
	return min(retryablehttp.RateLimitLinearJitterBackoff(least, most, attempt, answer), answerTime)
}

// with returns a client of the library with a token and a namespace. The library takes both
// from the environment, and headers, which do not count here.
func (c *client) with(token, namespace string) (*api.Client, error) {
	client, err := api.NewClient(c.config)
	if err != nil {
		return nil, fmt.Errorf("a variable VAULT_… of the environment is invalid: %w", err)
	}
	client.SetHeaders(http.Header{api.RequestHeaderName: {"true"}})
	client.SetToken(token)
	client.ClearNamespace()
	if namespace != "" {
		client.SetNamespace(namespace)
	}
	return client, nil
}

// logIn returns a new token.
func (v *Vault) logIn(ctx context.Context, address *url.URL, l login) (string, error) {
	c, err := v.client(address)
	if err != nil {
		return "", err
	}
	at := address.ResolveReference(&url.URL{Path: l.path + "login"})
	path, ok := strings.CutPrefix(at.Path, "/v1/")
	if !ok {
		return "", fmt.Errorf("the path of the login, %q, does not begin with v1/", l.path)
	}
	library, err := c.with("", l.namespace)
	if err != nil {
		return "", err
	}
	answer, err := library.Logical().WriteRawWithContext(ctx, path, []byte(l.body))
	text, err := body(answer, err, at, "authentication")
	if err != nil {
		return "", err
	}
	var parsed struct {
		Auth *struct {
			Token *string `json:"client_token"`
		} `json:"auth"`
	}
	if json.Unmarshal(text, &parsed) != nil || parsed.Auth == nil {
		return "", errors.New("unable to parse client_token from vault response")
	}
	if parsed.Auth.Token == nil {
		return "", errors.New("no client_token found")
	}
	return *parsed.Auth.Token, nil
}

// read returns the data of a secret.
func (v *Vault) read(ctx context.Context, address *url.URL, key secretKey, token string) (pcore.Value, error) {
	c, err := v.client(address)
	if err != nil {
		return nil, err
	}
	library, err := c.with(token, key.namespace)
	if err != nil {
		return nil, err
	}
	path, query, _ := strings.Cut(key.path, "?")
	parameters, err := url.ParseQuery(query)
	if err != nil {
		return nil, fmt.Errorf("the path %q: %w", key.path, err)
	}
	at := *address
	at.Path, at.RawQuery = "/v1/"+path, query
	answer, err := library.Logical().ReadRawWithDataWithContext(ctx, path, parameters)
	text, err := body(answer, err, &at, "secret lookup")
	if err != nil {
		return nil, err
	}
	return dataOf(text)
}

// body returns the body of an answer, or the error of a request. purpose describes the request.
func body(answer *api.Response, err error, at *url.URL, purpose string) ([]byte, error) {
	if answer != nil {
		defer func() { _ = answer.Body.Close() }() // it was read, or is abandoned
	}
	var failed *api.ResponseError
	switch {
	case errors.As(err, &failed):
		text := fmt.Sprintf("received %d response code from vault at %s for %s", failed.StatusCode, at, purpose)
		if answer != nil { // the library leaves its body to be read again
			text += messages(answer.Body)
		}
		return nil, refusal(failed.StatusCode, answer, errors.New(text))
	case err != nil:
		temporary := isTemporary(err)
		var sent *url.Error // its text repeats the address, and the word for the method
		if errors.As(err, &sent) {
			err = sent.Err
		}
		err = fmt.Errorf("%s for %s: %w", at, purpose, err)
		if temporary {
			err = &function.TemporaryError{Err: err}
		}
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, answerSize+1))
	if err == nil && len(text) > answerSize {
		err = fmt.Errorf("the answer is larger than %d bytes", answerSize)
	}
	if err != nil {
		failed := fmt.Errorf("%s for %s: %w", at, purpose, err)
		if isTemporary(err) {
			return nil, &function.TemporaryError{Err: failed}
		}
		return nil, failed
	}
	return text, nil
}

// refusal returns the error of an answer with a status, which may be temporary.
func refusal(status int, answer *api.Response, err error) error {
	if status != http.StatusPreconditionFailed && status != http.StatusTooManyRequests && status < http.StatusInternalServerError {
		return err
	}
	temporary := &function.TemporaryError{Err: err}
	if answer != nil {
		temporary.After = retryAfter(answer.Header.Get("Retry-After"), time.Now())
	}
	return temporary
}

// retryAfter returns the time to wait that a header asks for: seconds, or a date. It is bounded.
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(header, 10, 31); err == nil {
		return min(time.Duration(seconds)*time.Second, backoff.LongestAsked)
	}
	if date, err := http.ParseTime(header); err == nil {
		return min(max(0, date.Sub(now)), backoff.LongestAsked)
	}
	return 0
}

// isTemporary reports whether another attempt may succeed after an error of a connection: the server is
// down, slow, or ended in the middle of an answer. A wrong name or certificate stays wrong.
func isTemporary(err error) bool {
	var name *net.DNSError
	if errors.As(err, &name) {
		return !name.IsNotFound
	}
	var network net.Error
	if errors.As(err, &network) && network.Timeout() {
		return true
	}
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Op != "remote error" // an alert of TLS
	}
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// messages returns the messages in an answer that is a failure, in the words of the function in Ruby.
func messages(body io.Reader) string {
	var parts struct {
		Errors   *[]string `json:"errors"`
		Warnings *[]string `json:"warnings"`
	}
	if json.NewDecoder(io.LimitReader(body, answerSize)).Decode(&parts) != nil {
		return ""
	}
	text := ""
	if parts.Errors != nil {
		text += " (api errors: " + list(*parts.Errors) + ")"
	}
	if parts.Warnings != nil {
		text += " (api warnings: " + list(*parts.Warnings) + ")"
	}
	return text
}

// list returns the text of a list as Ruby inspects it.
func list(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = strconv.Quote(text)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// bodyOf returns a JSON object of texts.
func bodyOf(object map[string]string) string {
	text, _ := json.Marshal(object) // of texts
	return string(text)
}

// dataOf returns the fields of a secret: `data` of the answer or, for the second version of
// KV, `data` in it.
func dataOf(text []byte) (pcore.Value, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var answer struct {
		Data map[string]json.RawMessage `json:"data"`
	}
	if err := d.Decode(&answer); err != nil || answer.Data == nil {
		return nil, errNoData
	}
	raw, ok := answer.Data["data"]
	if !ok {
		var whole struct {
			Data json.RawMessage `json:"data"`
		}
		if err := json.Unmarshal(text, &whole); err != nil {
			return nil, errNoData
		}
		raw = whole.Data
	}
	return decode(raw)
}

// decode returns the value of a JSON text, with the order of its members.
func decode(text []byte) (pcore.Value, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return next(d)
}

// next returns the next value of a decoder. The depth is limited by the decoder.
func next(d *json.Decoder) (pcore.Value, error) {
	token, err := d.Token()
	if err != nil {
		return nil, errNoData
	}
	switch t := token.(type) {
	case string:
		return pcore.String(t), nil
	case bool:
		return pcore.Boolean(t), nil
	case json.Number:
		return number(t)
	case json.Delim:
		if t == '[' {
			return array(d)
		}
		return object(d)
	default:
		return pcore.Undef{}, nil
	}
}

func number(n json.Number) (pcore.Value, error) {
	if i, err := n.Int64(); err == nil {
		return pcore.Integer(i), nil
	}
	f, err := n.Float64()
	if err != nil || !strings.ContainsAny(n.String(), ".eE") {
		return nil, errors.New("a number in the secret is too large")
	}
	return pcore.Float(f), nil
}

func array(d *json.Decoder) (pcore.Value, error) {
	var elements []pcore.Value
	for d.More() {
		element, err := next(d)
		if err != nil {
			return nil, err
		}
		elements = append(elements, element)
	}
	if _, err := d.Token(); err != nil {
		return nil, errNoData
	}
	return pcore.NewArray(elements...), nil
}

func object(d *json.Decoder) (pcore.Value, error) {
	b := pcore.NewHashBuilder(0)
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, errNoData
		}
		name, ok := key.(string)
		if !ok {
			return nil, errNoData
		}
		value, err := next(d)
		if err != nil {
			return nil, err
		}
		b.SetString(name, value)
	}
	if _, err := d.Token(); err != nil {
		return nil, errNoData
	}
	return b.Hash(), nil
}

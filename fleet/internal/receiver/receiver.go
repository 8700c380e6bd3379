// Package receiver sends JSON to the programs that a fleet informs, by HTTP.
package receiver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"regexp"
	"time"

	"github.com/prometheus/common/config"
)

// Receiver is a program that receives JSON. It is safe for concurrent use. Create one with [New].
type Receiver struct {
	url    *url.URL
	client *http.Client
}

// timeout is the time for one request.
const timeout = 30 * time.Second

// New returns the receiver at the URL address, below which the path of requests is. settings is a
// file with the settings of HTTP clients of Prometheus (TLS, passwords, tokens), or empty.
// Redirects are not followed. Errors contain neither the address nor a setting, which may be
// secrets.
func New(address, path, settings string) (*Receiver, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("not the URL of a server; for example: https://alerts.example.com:9093")
	}
	how := config.DefaultHTTPClientConfig
	if settings != "" {
		if how, err = read(settings); err != nil {
			return nil, err
		}
	}
	how.FollowRedirects = false // the address of a redirect would get the body
	client, err := config.NewClientFromConfig(how, "pcatd")
	if err != nil {
		return nil, err
	}
	client.Timeout = timeout
	if path != "" {
		u = u.JoinPath(path)
	}
	return &Receiver{u, client}, nil
}

// lineOf matches the line in an error of YAML.
var lineOf = regexp.MustCompile(`(?m)^(?:yaml:)? *(line [0-9]+):`)

// read reads a file of settings. Errors have the line, and not the cause, which may quote a
// password.
func read(file string) (config.HTTPClientConfig, error) {
	how, _, err := config.LoadHTTPConfigFile(file)
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return config.HTTPClientConfig{}, fmt.Errorf("%s: %w", file, failed.Err)
	}
	if err != nil {
		where := ""
		if line := lineOf.FindStringSubmatch(err.Error()); line != nil {
			where = " (" + line[1] + ")"
		}
		return config.HTTPClientConfig{}, fmt.Errorf("%s: the HTTP settings are not valid%s", file, where)
	}
	return *how, nil
}

// RefusedError reports that a receiver answered with a status other than one of success.
type RefusedError struct {
	// Server is the receiver, without the path and the user of its address.
	Server string
	Status int
	// MediaType and Answer are the beginning of its answer, which may quote the request.
	MediaType string
	Answer    []byte
}

// Error implements error, without the answer.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s: HTTP status %d %s", e.Server, e.Status, http.StatusText(e.Status))
}

// longest is the number of bytes that are read of an answer.
const longest = 1 << 20

// Post sends a document. It fails unless the status of the answer is one of success; with another
// one, the error is a [*RefusedError]. Errors contain neither the path nor the user of the address.
func (r *Receiver) Post(ctx context.Context, mediaType string, body []byte) error {
	server := r.url.Scheme + "://" + r.url.Host
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url.String(), bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%s: the request cannot be made", server) // the cause quotes the address
	}
	request.Header.Set("Content-Type", mediaType)
	answer, err := r.client.Do(request)
	for failed, ok := errors.AsType[*url.Error](err); ok; failed, ok = errors.AsType[*url.Error](err) {
		err = failed.Err // without the address, or that of a server of tokens
	}
	if err != nil {
		return fmt.Errorf("%s: %w", server, err)
	}
	defer func() { _ = answer.Body.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(answer.Body, longest))
	if answer.StatusCode/100 != 2 {
		return &RefusedError{server, answer.StatusCode, answer.Header.Get("Content-Type"), text}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", server, err)
	}
	return nil
}

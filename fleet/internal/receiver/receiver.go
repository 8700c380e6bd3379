// Package receiver sends JSON to the programs that a fleet informs, by HTTP.
package receiver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
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
// file with the settings of HTTP clients of Prometheus (TLS, passwords, tokens), or empty. Errors
// do not contain the address, which may contain a password.
func New(address, path, settings string) (*Receiver, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("not the URL of a server; for example: https://alerts.example.com:9093")
	}
	how := config.DefaultHTTPClientConfig
	if settings != "" {
		read, _, err := config.LoadHTTPConfigFile(settings)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", settings, err)
		}
		how = *read
	}
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

// Post sends a document. It fails unless the status of the answer is one of success.
func (r *Receiver) Post(ctx context.Context, mediaType string, body []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url.String(), bytes.NewReader(body))
	if err != nil {
		return errors.New("the request cannot be made") // the cause quotes the address
	}
	request.Header.Set("Content-Type", mediaType)
	answer, err := r.client.Do(request)
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err // without the address
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.url.Redacted(), err)
	}
	defer func() { _ = answer.Body.Close() }() // it was only read
	_, err = io.Copy(io.Discard, io.LimitReader(answer.Body, 1<<20))
	if answer.StatusCode/100 != 2 {
		err = fmt.Errorf("HTTP status %s", answer.Status)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.url.Redacted(), err)
	}
	return nil
}

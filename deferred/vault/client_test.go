package vault

import (
	"net/http"
	"testing"
	"time"
)

// A server cannot make a client wait for longer than the limit.
func TestBackoff(t *testing.T) {
	for after, want := range map[string]time.Duration{"0": 0, "2": 2 * time.Second, "86400": answerTime} {
		busy := &http.Response{StatusCode: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {after}}, Body: http.NoBody}
		if got := wait(time.Second, 2*time.Second, 1, busy); got != want {
			t.Errorf("after %s: got %v, want %v", after, got, want)
		}
	}
}

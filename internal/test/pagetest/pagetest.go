// Package pagetest tries pages in a headless Chromium. Its tests are skipped where there
// is none.
//
// Control of the browser belongs here; the tests of a page lie beside its report.
package pagetest

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// Browser is a headless Chromium with one tab. It is driven by the Chrome DevTools
// Protocol over a pipe: JSON messages that end in a zero byte.
type Browser struct {
	to      io.Writer
	session string
	folder  string // of downloads
	url     string // of the page that is open

	mu      sync.Mutex
	last    int
	waiting map[int]chan answer
	events  []event
	gone    chan struct{} // closed when the browser ends
}

type answer struct {
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

type event struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// chromium returns the path of a Chromium, or skips the test: with -short, or if there is none.
func chromium(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it runs a browser")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no Chromium on this machine: the page is not tried in a browser")
	return ""
}

// New starts a browser whose user prefers reduced motion. It ends with the test.
func New(t *testing.T) *Browser {
	t.Helper()
	path := chromium(t)
	in, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	profile, err := os.MkdirTemp("", "browser") //nolint:usetesting // processes of the browser may write to it when the test has ended
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background()) // t.Context ends before the cleanup, which closes the pipe first
	args := []string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
		"--remote-debugging-pipe", "--user-data-dir=" + profile, "about:blank"}
	cmd := exec.CommandContext(ctx, path, args...) //nolint:gosec // path is that of a browser
	cmd.ExtraFiles = []*os.File{in, out}
	if err := cmd.Start(); err != nil {
		cancel()
		t.Skipf("the browser does not run here: %v", err)
	}
	_ = in.Close()
	_ = out.Close()
	b := &Browser{to: to, folder: t.TempDir(), waiting: map[int]chan answer{}, gone: make(chan struct{})}
	go b.listen(from)
	t.Cleanup(func() {
		_, _ = b.send("Browser.close", nil)
		_ = to.Close()
		waited := make(chan struct{})
		go func() { _ = cmd.Wait(); close(waited) }()
		select {
		case <-waited:
		case <-time.After(5 * time.Second):
		}
		cancel()
		<-waited
		_ = os.RemoveAll(profile)
	})
	var target struct{ TargetID string }
	if err := b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target); err != nil {
		t.Skipf("the browser does not run here: %v", err)
	}
	var session struct{ SessionID string }
	b.Must(t, "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &session)
	b.session = session.SessionID
	for _, domain := range []string{"Page", "Runtime", "Network", "Log"} {
		b.Must(t, domain+".enable", nil, nil)
	}
	b.Must(t, "Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-reduced-motion", "value": "reduce"}}}, nil)
	b.Must(t, "Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": b.folder}, nil)
	return b
}

// listen distributes the messages of the browser.
func (b *Browser) listen(from io.Reader) {
	defer close(b.gone)
	r := bufio.NewReader(from)
	for {
		line, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m struct {
			ID int `json:"id"`
			answer
			event
		}
		if json.Unmarshal(line[:len(line)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		if m.ID > 0 {
			b.waiting[m.ID] <- m.answer
			delete(b.waiting, m.ID)
		} else {
			b.events = append(b.events, m.event)
		}
		b.mu.Unlock()
	}
}

func (b *Browser) send(method string, params any) (json.RawMessage, error) {
	b.mu.Lock()
	b.last++
	id, reply := b.last, make(chan answer, 1)
	b.waiting[id] = reply
	m := map[string]any{"id": id, "method": method, "params": params}
	if params == nil {
		m["params"] = map[string]any{}
	}
	if b.session != "" {
		m["sessionId"] = b.session
	}
	text, err := json.Marshal(m)
	if err == nil {
		_, err = b.to.Write(append(text, 0))
	}
	b.mu.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case a := <-reply:
		if a.Error != nil {
			return nil, fmt.Errorf("%s: %s", method, a.Error.Message)
		}
		return a.Result, nil
	case <-b.gone:
		return nil, errors.New("the browser ended")
	case <-time.After(time.Minute):
		return nil, fmt.Errorf("%s: no answer", method)
	}
}

// call sends a command and decodes its result.
func (b *Browser) call(method string, params, result any) error {
	text, err := b.send(method, params)
	if err != nil || result == nil {
		return err
	}
	return json.Unmarshal(text, result)
}

// Must sends a command and decodes its result, which can be nil.
func (b *Browser) Must(t *testing.T, method string, params, result any) {
	t.Helper()
	if err := b.call(method, params, result); err != nil {
		t.Fatal(err)
	}
}

// Page is a page of HTML to open.
type Page struct {
	Text string
	// URL is the address of a page on a server, in place of Text. Token is a token for it, or empty.
	URL, Token string

	Fragment string // of its address, with the #
	Width    int    // of the window, 1400 pixels if it is 0
	Helpers  string // short names for expressions besides those of helpers
}

// Open opens a page, waits until its script has run, and evaluates the helpers.
func (b *Browser) Open(t *testing.T, p Page) {
	t.Helper()
	if b.url = p.URL; p.URL == "" {
		file := filepath.Join(t.TempDir(), "report.html")
		if err := os.WriteFile(file, []byte(p.Text), 0o600); err != nil {
			t.Fatal(err)
		}
		b.url = "file://" + file
	}
	headers := map[string]string{}
	if p.Token != "" {
		headers["Authorization"] = "Bearer " + p.Token
	}
	b.Must(t, "Network.setExtraHTTPHeaders", map[string]any{"headers": headers}, nil)
	width := cmp.Or(p.Width, 1400)
	b.Must(t, "Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false}, nil)
	b.mu.Lock()
	b.events = nil
	b.mu.Unlock()
	b.Must(t, "Page.navigate", map[string]any{"url": b.url + p.Fragment}, nil)
	for range 1000 {
		if len(b.all("Page.loadEventFired")) > 0 {
			Eval[any](t, b, helpers+p.Helpers)
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the page does not load")
}

// Try opens a page and performs steps. It fails if the page reports an error, or asks for
// anything but itself.
func (b *Browser) Try(t *testing.T, p Page, steps []Step) {
	t.Helper()
	b.Open(t, p)
	b.Steps(t, steps)
	b.Quiet(t)
}

// all returns the events with a name since the page was opened.
func (b *Browser) all(method string) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []string
	for _, e := range b.events {
		if e.Method == method {
			list = append(list, string(e.Params))
		}
	}
	return list
}

// Quiet fails if the page reported an error, or asked for anything but itself.
func (b *Browser) Quiet(t *testing.T) {
	t.Helper()
	for _, e := range append(b.all("Runtime.exceptionThrown"), b.all("Log.entryAdded")...) {
		t.Errorf("the page reports: %s", e)
	}
	for _, e := range b.all("Network.requestWillBeSent") {
		var r struct{ Request struct{ URL string } }
		if err := json.Unmarshal([]byte(e), &r); err != nil || r.Request.URL != b.url {
			t.Errorf("the page asks for %s", r.Request.URL)
		}
	}
}

// Eval returns the value of an expression in the page, which may be a promise.
func Eval[T any](t *testing.T, b *Browser, expression string) T {
	t.Helper()
	var r struct {
		Result           struct{ Value T }
		ExceptionDetails json.RawMessage
	}
	b.Must(t, "Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true}, &r)
	if r.ExceptionDetails != nil {
		t.Fatalf("%s: %s", expression, r.ExceptionDetails)
	}
	return r.Result.Value
}

// Downloaded waits for a file that the page saved, and returns its content.
func (b *Browser) Downloaded(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(b.folder, name)
	for range 500 {
		if text, err := os.ReadFile(path); err == nil && len(text) > 0 { // the browser creates the file first
			return string(text)
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s was not saved", name)
	return ""
}

// helpers are short names for expressions in each page.
const helpers = `
const $ = (s) => document.querySelector(s);
const $$ = (s) => [...document.querySelectorAll(s)];
const texts = (s) => $$(s).map((e) => e.textContent.replace(/\s+/g, ' ').trim());
const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
const until = async (holds) => { for (let i = 0; i < 500 && !holds(); i++) await new Promise((done) => setTimeout(done, 10)); };
const copied = [];
Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { copied.push(text); } } });
`

// Step is an action in the page, an expression, and its expected value afterwards.
type Step [3]string

// Steps performs steps in their order.
func (b *Browser) Steps(t *testing.T, list []Step) {
	t.Helper()
	for _, s := range list {
		do, value, want := s[0], s[1], s[2]
		got := Eval[any](t, b, "(async () => { "+do+"; return String("+value+"); })()")
		if got != want {
			t.Errorf("after %q: %s is %q, want %q", do, value, got, want)
		}
	}
}

// Stopwatch returns a function that performs an action and returns the milliseconds that
// the page then works. The time is that of the processor, because the machine may do
// something else.
func (b *Browser) Stopwatch(t *testing.T) func(act func()) float64 {
	t.Helper()
	b.Must(t, "Performance.enable", map[string]any{"timeDomain": "threadTicks"}, nil)
	spent := func() float64 {
		var r struct {
			Metrics []struct {
				Name  string
				Value float64
			}
		}
		b.Must(t, "Performance.getMetrics", nil, &r)
		for _, m := range r.Metrics {
			if m.Name == "TaskDuration" {
				return 1000 * m.Value
			}
		}
		t.Fatal("the browser does not measure")
		return 0
	}
	return func(act func()) float64 {
		t.Helper()
		before := spent()
		act()
		Eval[any](t, b, "document.body.offsetHeight")
		took := spent() - before
		if took < 0 { // the page has a new process
			took += before
		}
		return took
	}
}

// Speed returns a function that performs an action and fails if the page then works for
// a second or longer.
func (b *Browser) Speed(t *testing.T) func(name string, act func()) {
	t.Helper()
	stopwatch := b.Stopwatch(t)
	return func(name string, act func()) {
		t.Helper()
		took := stopwatch(act)
		t.Logf("%s: %.0f ms", name, took)
		if took >= 1000 {
			t.Errorf("%s takes %.0f ms", name, took)
		}
	}
}

// Run starts a browser and runs tests in it, each under its name.
func Run(t *testing.T, tests map[string]func(*testing.T, *Browser)) {
	t.Helper()
	b := New(t)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { test(t, b) })
	}
}

package daemon

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pcatdev/pcat/fleet/internal/coordinate"
	"github.com/pcatdev/pcat/fleet/internal/health"
	"github.com/pcatdev/pcat/fleet/internal/store"
	"github.com/pcatdev/pcat/fleet/internal/web"
	"github.com/pcatdev/pcat/fleet/internal/work"
)

// askProcess asks all processes of a fleet for their state, a [ProcessState] as JSON.
const askProcess = store.AskProcess

// gathering is how long the answers of processes are awaited.
const gathering = 500 * time.Millisecond

// ProcessState is the state of one process of a fleet.
type ProcessState struct {
	// Name is the machine and the number of the process, and Role serve or worker.
	Name string `json:"name"`
	Role string `json:"role"`
	// Problems are the reasons why the process is degraded.
	Problems []health.Problem   `json:"problems,omitempty"`
	Feeds    []health.FeedState `json:"feeds,omitempty"`
	Tasks    work.Progress      `json:"tasks"`
}

// Status is the state of a fleet.
type Status struct {
	*coordinate.Summary
	// Processes are the ones that answered, by name.
	Processes []ProcessState `json:"processes"`
}

// process is this process, as monitoring and other processes see it.
type process struct {
	web.Process
	name, role string
	store      *store.Store
}

// newProcess returns a process with a storage and workers.
func newProcess(role string, s *store.Store, w *work.Worker, now func() time.Time) *process {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	m := health.New(now)
	m.Add(health.Check("storage", s.Healthy))
	m.Add(health.Check("worker", w.Healthy))
	return &process{Process: web.Process{Health: m, Worker: w.Progress}, name: fmt.Sprintf("%s/%d", host, os.Getpid()), role: role, store: s}
}

// watch watches the clock, and answers [askProcess].
func (p *process) watch(ctx context.Context, g *errgroup.Group) error {
	g.Go(func() error { p.Health.Watch(ctx); return nil })
	return p.store.Answer(ctx, askProcess, func(context.Context, []string) ([]byte, error) {
		return json.Marshal(&ProcessState{Name: p.name, Role: p.role, Problems: p.Health.Problems(), Feeds: p.Health.Feeds(), Tasks: p.Worker()})
	})
}

// Processes returns the states of the processes that answer.
func (c *Client) Processes(ctx context.Context) ([]ProcessState, error) {
	answers, err := c.Store.AskAll(ctx, askProcess, gathering)
	if err != nil {
		return nil, err
	}
	var list []ProcessState
	for _, text := range answers {
		var p ProcessState
		if err := json.Unmarshal(text, &p); err != nil {
			return nil, fmt.Errorf("status of a process: %w", err)
		}
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b ProcessState) int { return cmp.Compare(a.Name, b.Name) })
	return list, nil
}

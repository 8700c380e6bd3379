package daemon

import (
	"context"
	"log/slog"
	"time"

	systemd "github.com/coreos/go-systemd/v22/daemon"
	"golang.org/x/sync/errgroup"
)

// notify says to the service manager that the process is ready, and at the end that it stops. If
// there is a watchdog, it is fed unless the process hangs. A fault of a disk or of a source is no
// reason to be restarted. Without a service manager, it does nothing.
func notify(ctx context.Context, g *errgroup.Group, hangs func() bool, log *slog.Logger) {
	say := func(state string) bool {
		sent, err := systemd.SdNotify(false, state)
		if err != nil {
			log.Warn("the service manager cannot be notified", "error", err)
		}
		return sent
	}
	if !say(systemd.SdNotifyReady) {
		return
	}
	interval, err := systemd.SdWatchdogEnabled(false)
	if err != nil {
		log.Warn("the watchdog of the service manager is not used", "error", err)
	}
	g.Go(func() error {
		var feed <-chan time.Time
		if interval > 0 {
			t := time.NewTicker(interval / 3)
			defer t.Stop()
			feed = t.C
		}
		for {
			select {
			case <-ctx.Done():
				say(systemd.SdNotifyStopping)
				return nil
			case <-feed:
				if !hangs() {
					say(systemd.SdNotifyWatchdog)
				}
			}
		}
	})
}

package root

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/fleet/internal/daemon"
	"github.com/pcatdev/pcat/fleet/internal/store"
	"github.com/pcatdev/pcat/internal/bytesize"
	"github.com/pcatdev/pcat/internal/manual"
)

func (c *command) serve() *cobra.Command {
	var o daemon.Options
	var size string
	severity := rule.High.String()
	cmd := &cobra.Command{
		Use:   "serve --state DIR",
		Short: "Store, coordinate and audit",
		Long: `Serve stores catalogs in an embedded NATS server, or in another one with --nats,
and audits them. The state folder is created with a fleet key if it is missing.

The files of --config and --baseline are read again when they change. Other names
or custom rules audit all catalogs anew.

--alertmanager sends one alert for each needed repair; a repair groups the
findings that one change to a resource fixes. The alert ends when they are gone or
accepted.

The address for other commands and for workers is in the file DIR/address. An
address that other machines can reach needs --tls-cert, --tls-key and --tls-ca.
The one for monitoring needs --http-tls-cert, --http-tls-key and --http-tls-ca.

The address for monitoring also has a page with the findings, for the owners of
the token in --http-token and for the certificates of --http-client.`,
		Example: `  pcatd serve --state /var/lib/pcatd --folder compiled=/srv/catalogs
  pcatd serve --state /var/lib/pcatd --workers 0 --nats nats://nats01:4222`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if c.connection.State == "" {
				return errors.New("give the state folder: --state DIR, or the variable PCATD_STATE")
			}
			if err := needs(cmd.Flags()); err != nil {
				return err
			}
			var err error
			if o.Replicas, err = replicas(o.Replicas, c.connection.URL); err != nil {
				return err
			}
			if o.MaxStore, err = storeSize(size); err != nil {
				return err
			}
			if o.Alerts.Severity, err = rule.ParseSeverity(severity); err != nil {
				return fmt.Errorf("--alert-severity %w", err)
			}
			o.Connection, o.Log, o.Version = c.connection, c.log(cmd, slog.LevelInfo), release()
			return daemon.Serve(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.Folders, "folder", nil, "audit the catalogs in a folder, `NAME=DIR`; repeatable")
	f.DurationVar(&o.Scan, "scan", 30*time.Second, "the `TIME` between two scans of folders")
	f.DurationVar(&o.Settle, "settle", 2*time.Second, "the `TIME` for which a file must be unchanged")
	f.BoolVar(&o.PuppetDB, "puppetdb", false, "audit new catalogs in PuppetDB, with the settings of the agent on this machine")
	f.DurationVar(&o.PuppetDBInterval, "puppetdb-interval", 30*time.Second, "the `TIME` between two polls of PuppetDB")
	f.StringVar(&o.Terminus, "terminus", "", "the `ADDRESS` at which compilers deliver catalogs, as to PuppetDB or complete")
	f.DurationVar(&o.TerminusTimeout, "terminus-timeout", 2*time.Second, "the longest `TIME` that a compile waits for pcatd")
	f.DurationVar(&o.Expire, "terminus-expire", 7*24*time.Hour, "the `TIME` until a complete catalog that is not compiled again is removed; 0 for never")
	f.StringArrayVar(&o.Access.Certnames, "terminus-client", nil, "the certificate `NAME` of a compiler; repeatable")
	f.StringVar(&o.Access.Certificate, "terminus-tls-cert", "", "the `FILE` with the certificate of this address")
	f.StringVar(&o.Access.Key, "terminus-tls-key", "", "the `FILE` with its private key")
	f.StringVar(&o.Access.CA, "terminus-tls-ca", "", "the `FILE` with Puppet's CA")
	f.StringVar(&o.Access.CRL, "terminus-tls-crl", "", "the `FILE` with its revocation lists")
	manual.Group(f, "Feeds", "folder", "scan", "settle", "puppetdb", "puppetdb-interval", "terminus", "terminus-timeout", "terminus-expire",
		"terminus-client", "terminus-tls-cert", "terminus-tls-key", "terminus-tls-ca", "terminus-tls-crl")
	f.StringVar(&o.Decisions.Config, "config", "", "audit with the rules and decisions of `FILE`, such as .pcat-audit.yaml")
	f.StringVar(&o.Decisions.Baseline, "baseline", "", "accept the findings that are in `FILE`, which pcatd report --format baseline writes")
	manual.Group(f, "Decisions", "config", "baseline")
	f.StringArrayVar(&o.Alerts.Servers, "alertmanager", nil, "send alerts to Alertmanager at `URL`; repeat it for a cluster")
	f.StringVar(&o.Alerts.ClientFile, "alertmanager-http-config", "", "the `FILE` with the HTTP settings for Alertmanager, as in Prometheus")
	f.StringVar(&severity, "alert-severity", severity, "send alerts for findings of the severity `NAME` or a higher one")
	f.StringVar(&o.Alerts.SourceURL, "source-url", "", "link manifests to `URL`, with {path} and {line}, in alerts and on the page")
	f.StringVar(&o.Webhook.URL, "webhook", "", "send events to `URL` as CloudEvents")
	f.StringVar(&o.Webhook.ClientFile, "webhook-http-config", "", "the `FILE` with the HTTP settings for the webhook, as in Prometheus")
	manual.Group(f, "Alerts", "alertmanager", "alertmanager-http-config", "alert-severity", "source-url", "webhook", "webhook-http-config")
	f.IntVar(&o.Workers, "workers", -1, "the `NUMBER` of workers in this process; -1 for one per processor")
	f.DurationVar(&o.SearchInterval, "search-interval", 0, "the least `TIME` between two searches of all catalogs for new secrets")
	f.DurationVar(&o.Keep, "keep", 24*time.Hour, "the `TIME` for which superseded catalogs are kept, for pcatd changes")
	limitFlags(f, &size, &o.Replicas)
	f.DurationVar(&o.AckWait, "ack-wait", 30*time.Second, "the `TIME` after which tasks of a silent worker go to another")
	manual.Group(f, "Limits", "workers", "max-store", "keep", "search-interval", "ack-wait", "replicas")
	f.StringVar(&o.Listen, "listen", "127.0.0.1:0", "the `ADDRESS` for workers and other commands, or empty")
	monitoringFlags(f, &o.HTTP, "127.0.0.1:9171", &o.HTTPTLS, &o.Readers.CRL)
	f.StringVar(&o.Readers.TokenFile, "http-token", "", "the `FILE` with a token: who has it may read the page of findings")
	f.StringArrayVar(&o.Readers.Clients, "http-client", nil, "the certificate `NAME` of a client that may read the page; repeatable")
	manual.Group(f, "Addresses", "listen", "http", "http-tls-cert", "http-tls-key", "http-tls-ca", "http-tls-crl", "http-token", "http-client")
	return cmd
}

// valuesOf returns the values of a flag on the command line.
func valuesOf(f *pflag.FlagSet, name string) []string {
	flag := f.Lookup(name)
	if flag == nil || !flag.Changed {
		return nil
	}
	if list, several := flag.Value.(pflag.SliceValue); several {
		return list.GetSlice()
	}
	return []string{flag.Value.String()}
}

// needs returns an error if a flag is given without one that it belongs to. An empty value, such as that of a
// variable that is not set, is as good as none.
func needs(f *pflag.FlagSet) error {
	for _, name := range []string{"http-token", "http-client"} {
		if slices.Contains(valuesOf(f, name), "") {
			return fmt.Errorf("--%s is empty", name)
		}
	}
	given := func(name string) bool {
		return slices.ContainsFunc(valuesOf(f, name), func(value string) bool { return value != "" })
	}
	for _, list := range [][]string{
		{"alertmanager-http-config", "alertmanager"}, {"alert-severity", "alertmanager"}, {"source-url", "alertmanager", "http-token", "http-client"}, {"webhook-http-config", "webhook"},
		{"http-client", "http-tls-cert"}, {"http-tls-crl", "http-tls-cert"},
	} {
		if given(list[0]) && !slices.ContainsFunc(list[1:], given) {
			return fmt.Errorf("--%s needs --%s", list[0], strings.Join(list[1:], " or --"))
		}
	}
	for _, name := range []string{"http-tls-cert", "http-tls-key", "http-tls-ca", "http-tls-crl", "http-token", "http-client"} {
		if given(name) && f.Lookup("http").Value.String() == "" {
			return fmt.Errorf("--%s needs --http", name)
		}
	}
	return nil
}

// limitFlags adds the flags of the storage.
func limitFlags(f *pflag.FlagSet, size *string, replicas *int) {
	f.StringVar(size, "max-store", "16GB", "the maximum `SIZE` of all data")
	f.IntVar(replicas, "replicas", 1, "the `NUMBER` of copies of all data in a cluster, with --nats")
}

// replicas checks the value of --replicas.
func replicas(n int, url string) (int, error) {
	if n < 1 || n > 1 && url == "" {
		return 0, errors.New("--replicas needs a cluster: give its addresses with --nats")
	}
	return n, nil
}

// monitoringFlags adds the flags of the address for monitoring.
func monitoringFlags(f *pflag.FlagSet, address *string, standard string, files *store.Files, crl *string) {
	f.StringVar(address, "http", standard, "the `ADDRESS` of /healthz and /metrics, or empty")
	f.StringVar(&files.Certificate, "http-tls-cert", "", "the `FILE` with the certificate of this address")
	f.StringVar(&files.Key, "http-tls-key", "", "the `FILE` with its private key")
	f.StringVar(&files.CA, "http-tls-ca", "", "the `FILE` with the CA of its clients")
	f.StringVar(crl, "http-tls-crl", "", "the `FILE` with the revocation lists of the CA of clients")
}

// minStore is the smallest value of --max-store.
const minStore = 16 << 20

// storeSize parses the value of --max-store.
func storeSize(text string) (int64, error) {
	n, err := bytesize.Parse(text)
	if err != nil {
		return 0, fmt.Errorf("--max-store: %w", err)
	}
	if n < minStore {
		return 0, fmt.Errorf("--max-store %s is too small: give at least %s", text, bytesize.Format(minStore))
	}
	return n, nil
}

func (c *command) worker() *cobra.Command {
	o := daemon.WorkOptions{Workers: -1}
	cmd := &cobra.Command{
		Use:   "worker --nats URL --key-file FILE",
		Short: "Audit catalogs for pcatd serve in another process",
		Long: `Worker takes tasks of "pcatd serve", on this machine with --state, on another
one with --nats and a copy of the fleet key. It must be of the same version.

With --http, it serves /healthz and /metrics as "pcatd serve" does. Other
addresses than loopback need --http-tls-cert, --http-tls-key and --http-tls-ca.`,
		Example: `  pcatd worker --nats tls://fleet.example.com:4222 --key-file fleet.key \
    --tls-cert worker.pem --tls-key worker.key --tls-ca ca.pem`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := needs(cmd.Flags()); err != nil {
				return err
			}
			o.Connection, o.Log = c.connection, c.log(cmd, slog.LevelInfo)
			return daemon.Work(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.Workers, "workers", o.Workers, "the `NUMBER` of workers; -1 for one per processor")
	monitoringFlags(f, &o.HTTP, "", &o.HTTPTLS, &o.HTTPCRL)
	return cmd
}

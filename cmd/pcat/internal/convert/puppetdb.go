package convert

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/pflag"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/puppetdb"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// puppetdbFlags are the flags for the payload of PuppetDB, which contains a whole catalog.
type puppetdbFlags struct {
	to, from bool // whether -t or -f is PuppetDB's format

	transaction, job, producer, timestamp string

	sent time.Time
}

// The formats in which PuppetDB's payload is written and read.
const (
	sentAs = "stringified-json"
	gotAs  = "rich-json"
)

func (f *puppetdbFlags) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&f.transaction, "transaction-uuid", "", "with -t puppetdb: the `UUID` of the run")
	flags.StringVar(&f.job, "job-id", "", "with -t puppetdb: the `ID` of the orchestrator job")
	flags.StringVar(&f.producer, "producer", "", "with -t puppetdb: the `CERTNAME` of the sending server")
	flags.StringVar(&f.timestamp, "producer-timestamp", "", "with -t puppetdb: the `TIME` of sending, such as 2006-01-02T15:04:05Z (default now)")
}

// begin replaces PuppetDB's format in the flags by the format of its payload.
func (f *puppetdbFlags) begin(opts *Options) (err error) {
	if f.to = opts.Write.To == document.PuppetDB; f.to {
		opts.Write.To, opts.Write.Extension = sentAs, ".json"
	} else if f.transaction+f.job+f.producer+f.timestamp != "" {
		return cli.Usage("--transaction-uuid, --job-id, --producer and --producer-timestamp need -t puppetdb")
	}
	if f.from = opts.Read.From == document.PuppetDB; f.from {
		opts.Read.From = gotAs
	}
	f.sent = time.Now()
	if f.timestamp != "" {
		if f.sent, err = time.Parse(time.RFC3339Nano, f.timestamp); err != nil {
			return cli.Usage("--producer-timestamp: %q is not a time; use the format 2006-01-02T15:04:05Z", f.timestamp)
		}
	}
	return nil
}

// send writes the payload of `replace catalog` for the one catalog of doc.
func (f *puppetdbFlags) send(ctx context.Context, opts *Options, doc *document.Document) error {
	all, err := doc.Catalogs()
	if err != nil {
		return err
	}
	if len(all) != 1 {
		return cli.BadInput(doc.Name, "", fmt.Errorf("the input has %d catalogs; PuppetDB accepts one at a time", len(all)))
	}
	payload, err := puppetdb.Replace(all[0], puppetdb.Submission{
		TransactionUUID: f.transaction, JobID: f.job, Producer: f.producer, Time: f.sent,
	})
	if err != nil {
		return doc.Failure(err)
	}
	resources := all[0].Resources()
	lost := func(l serialization.Loss) {
		if len(l.Path) > 1 && l.Path[0].Key == pcore.String("resources") {
			_, _ = opts.Losses.ledger.Resource(ctx, resources[l.Path[1].Index]) // it is never refused
		}
		opts.Write.OnLoss(l)
	}
	leftOut(resources, lost)
	data, err := opts.Write.Target(doc).Append(nil, payload, serialization.EncodeOptions{
		Secrets: serialization.PlainSecrets, // the format hides them
		Indent:  opts.Write.Blanks(),
		OnLoss:  lost,
	})
	if err != nil {
		return doc.Failure(err)
	}
	return opts.Write.WriteBytes(ctx, opts.Streams, doc, data)
}

// leftOut reports the sensitive parameters, which the payload omits.
func leftOut(resources []*catalog.Resource, lost func(serialization.Loss)) {
	for i, r := range resources {
		listed := catalog.NamesOf(r.SensitiveParameters())
		parameters, _ := r.RawParameters() // undecodable resources were refused before
		for _, p := range parameters {
			if !listed.Has(p.Key) {
				continue
			}
			if v, err := r.Decode(&p); err == nil {
				path := pcore.Path{}.Key("resources").Index(i).Key("parameters").Key(p.Key)
				lost(serialization.Loss{Path: path, Kind: serialization.LostEntry, Before: pcore.NewSensitive(v)})
			}
		}
	}
}

// restore writes the catalogs of a payload, or of an answer of PuppetDB.
func (f *puppetdbFlags) restore(ctx context.Context, opts *Options, doc *document.Document, log *slog.Logger) error {
	all, err := doc.Catalogs()
	if err != nil {
		return err
	}
	for i, c := range all {
		restored, losses, err := puppetdb.Restore(c)
		if err != nil {
			return doc.Failure(err)
		}
		for _, l := range losses {
			log.Warn("not restored: "+l.What, cli.FileKey, doc.Name, cli.LocationKey, doc.Named(l.At).String())
		}
		all[i] = restored
	}
	return opts.Write.WriteCatalogs(ctx, opts.Streams, doc, all)
}

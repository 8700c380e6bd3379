package audit

import (
	"context"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/auditconfig"
)

// Rules returns the rules of pcat and the custom rules of a configuration and of files. An
// empty file means no configuration.
func Rules(ctx context.Context, s *cli.IOStreams, file string, files []string) (*rule.Registry, error) {
	registry, err := rule.Default()
	if err != nil || file == "" && len(files) == 0 {
		return registry, err
	}
	d := &decisions{config: &auditconfig.Config{}, file: file}
	if file != "" {
		if d.config, err = readConfig(file); err != nil {
			return nil, err
		}
	}
	own, err := (&Options{Streams: s, Rules: files}).custom(d)
	if err != nil {
		return nil, err
	}
	return registry.With(own.Rules()...)
}

package eval

import (
	"context"
	"log/slog"

	"github.com/pcatdev/pcat/pcore/function"
)

// logger returns a function that logs the messages of notice and similar functions.
// Messages from notice up appear unless -q is given, lower levels with -v.
func (opts *Options) logger(ctx context.Context) func(function.Level, string) {
	return func(level function.Level, text string) {
		opts.Streams.Log.Log(ctx, levelOf(level), string(level)+": "+text)
	}
}

// programLevel is the level of messages that the program means for its user: as grave as a
// warning, and none of pcat.
const programLevel = slog.LevelWarn + 1

func levelOf(level function.Level) slog.Level {
	switch level {
	case function.Debug:
		return slog.LevelDebug
	case function.Info:
		return slog.LevelInfo
	default:
		return programLevel
	}
}

package audit

import (
	"cmp"
	"slices"
	"strings"
)

// mostSpecific resolves overlaps among the hits of one leaf: of overlapping hits, it
// returns the most specific one. It reorders hits. repeats is that of [once].
func mostSpecific(hits []raw, repeats bool) []raw {
	if len(hits) < 2 {
		return hits
	}
	hits = once(ranked(hits), repeats)
	if slices.ContainsFunc(hits, func(h raw) bool { return len(h.Within) > 0 }) {
		return apart(hits)
	}
	var kept []raw
	for from := 0; from < len(hits); {
		to := from + 1
		for to < len(hits) && rank(hits[to]) == rank(hits[from]) {
			to++
		}
		kept = merge(kept, hits[from:to])
		from = to
	}
	return kept
}

// apart is mostSpecific for ranked hits, of which some are in encoded texts.
func apart(hits []raw) []raw {
	kept := make([]raw, 0, len(hits))
	for _, h := range hits {
		if !slices.ContainsFunc(kept, func(k raw) bool { return overlap(&h, &k) }) {
			kept = append(kept, h)
		}
	}
	slices.SortStableFunc(kept, func(a, b raw) int { return a.Start - b.Start })
	return kept
}

// overlap reports whether two hits overlap. Two in one decoded text overlap if they do so there.
func overlap(a, b *raw) bool {
	if a.Start != b.Start || a.End != b.End {
		return a.Start < b.End && b.Start < a.End
	}
	for i := range min(len(a.Within), len(b.Within)) {
		x, y := a.Within[i], b.Within[i]
		if x.Text != y.Text {
			return true // decoded in two ways
		}
		if x != y {
			return x.Start < y.End && y.Start < x.End
		}
	}
	return true
}

// ranked sorts hits, the most specific ones first.
func ranked(hits []raw) []raw {
	slices.SortStableFunc(hits, func(a, b raw) int {
		return cmp.Or(rank(b)-rank(a), a.Start-b.Start, b.End-a.End, bySource(a, b))
	})
	return hits
}

// bySource orders copies by their secrets. Other hits keep their order.
func bySource(a, b raw) int {
	if a.source == nil || b.source == nil {
		return 0
	}
	return strings.Compare(a.Secret, b.Secret)
}

// once removes repeated hits of a rule for the same secret, because one
// location in a text is enough to find the others. With repeats, the hit that
// stays has the positions of the others. It preserves the order.
func once(hits []raw, repeats bool) []raw {
	type key struct{ rule, secret string }
	seen := make(map[key]int, len(hits))
	first := hits[:0]
	for _, h := range hits {
		k := key{h.Rule, h.Secret}
		i, again := seen[k]
		if !again {
			seen[k] = len(first)
			first = append(first, h)
			continue
		}
		if repeats {
			first[i].again = append(append(first[i].again, span{h.Start, h.End}), h.again...)
		}
	}
	return first
}

// merge adds the hits that overlap none in kept. Both are in order.
func merge(kept, hits []raw) []raw {
	merged := make([]raw, 0, len(kept)+len(hits))
	end := 0 // end of the last merged hit
	i := 0
	for _, h := range hits {
		for i < len(kept) && kept[i].End <= h.Start {
			merged = append(merged, kept[i])
			end = kept[i].End
			i++
		}
		if h.Start >= end && (i == len(kept) || kept[i].Start >= h.End) {
			merged = append(merged, h)
			end = h.End
		}
	}
	return append(merged, kept[i:]...)
}

// rank returns how specific the rule of a hit is. A copy of a declared secret
// is the most specific, and text that is no secret the least.
func rank(h raw) int {
	switch {
	case h.source != nil:
		return len(families) + 1
	case h.Secret == "":
		return -1
	}
	family, _, _ := strings.Cut(h.Rule, "/")
	return slices.Index(families[:], family) + 1
}

// families are the families of rules on text, the least specific ones first.
var families = [...]string{
	"plain-secret-parameter", "secret-in-content", "secret-in-command", "connection-string", "url-credentials", "password-hash",
	"provider-token", "private-key", "sensitive-cross-node", "sensitive-reuse-open", "own",
}

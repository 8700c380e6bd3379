package audit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/detect"
)

// mostSpecific resolves overlaps among the hits of one leaf: of overlapping hits, it
// returns the most specific one. It reorders hits. repeats is that of [once].
func mostSpecific(hits []raw, repeats bool) []raw {
	if len(hits) < 2 {
		return hits
	}
	hits = once(ranked(hits), repeats)
	if slices.ContainsFunc(hits, func(h raw) bool { return len(h.Within) > 0 }) {
		return inEncoded(hits, 0)
	}
	return apart(hits, 0)
}

// apart returns the ranked hits of one text that do not overlap there, in order. The text is decoded at a depth, or that of
// the leaf at 0.
func apart(hits []raw, depth int) (kept []raw) {
	for from := 0; from < len(hits); {
		to := from + 1
		for to < len(hits) && rank(hits[to]) == rank(hits[from]) {
			to++
		}
		kept = merge(kept, hits[from:to], depth)
		from = to
	}
	return kept
}

// inEncoded is apart for hits of which some are in encoded parts of the text: hits in one part are apart if they are in the
// decoded text.
func inEncoded(hits []raw, depth int) (all []raw) {
	parts := map[detect.Inner][]raw{}
	var first []raw // the most specific hit of each part
	for _, h := range hits {
		at := position(&h, depth)
		if parts[at] == nil {
			first = append(first, h)
		}
		parts[at] = append(parts[at], h)
	}
	slices.SortStableFunc(first, func(a, b raw) int {
		x, y := position(&a, depth), position(&b, depth)
		return cmp.Or(rank(b)-rank(a), x.Start-y.Start, y.End-x.End)
	})
	for _, h := range apart(first, depth) {
		if len(h.Within) <= depth {
			all = append(all, h)
			continue
		}
		all = append(all, inEncoded(slices.DeleteFunc(parts[position(&h, depth)], func(other raw) bool {
			return len(other.Within) <= depth || other.Within[depth].Text != h.Within[depth].Text // decoded in another way
		}), depth+1)...)
	}
	return all
}

// position returns the position of a hit in the text that is decoded at a depth.
func position(h *raw, depth int) detect.Inner {
	if depth == 0 {
		return detect.Inner{Start: h.Start, End: h.End}
	}
	return h.Within[depth-1]
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
func merge(kept, hits []raw, depth int) []raw {
	merged := make([]raw, 0, len(kept)+len(hits))
	end := 0 // end of the last merged hit
	i := 0
	for _, h := range hits {
		at := position(&h, depth)
		for i < len(kept) && position(&kept[i], depth).End <= at.Start {
			merged = append(merged, kept[i])
			end = position(&kept[i], depth).End
			i++
		}
		if at.Start >= end && (i == len(kept) || position(&kept[i], depth).Start >= at.End) {
			merged = append(merged, h)
			end = at.End
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

package audit

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/detect"
	"github.com/pcatdev/pcat/audit/internal/leaf"
)

// exposure is who can read a secret, apart from root on the node. The zero value is nobody, or
// unknown. A larger value is a larger audience.
type exposure uint8

const (
	noExposure exposure = iota
	worldReadable
	processList
	inTitle
	exported
	inPuppetDB
)

var exposureReasons = [...]string{
	worldReadable: "every user of the node can read the file", processList: "every user of the node can see the command in the list of processes",
	inTitle: "titles are in every event and report", exported: "the resource is exported to other nodes", inPuppetDB: "every client of PuppetDB can query it",
}

// exposureOf returns the exposure of a hit in l on the node.
func exposureOf(l *leaf.Leaf) exposure {
	switch {
	case l.Kind == leaf.Title:
		return inTitle
	case l.Resource == nil || !l.InParameter():
		return noExposure
	case detect.IsCommandLine(l):
		return processList
	case l.Resource.Type == "File" && l.Parameter() == "content" && isWorldReadable(l.Resource.Text("mode")):
		return worldReadable
	}
	return noExposure
}

// audience returns the exposure of a hit outside of the node. The rule for exported resources
// accounts for that.
func (h *raw) audience() exposure {
	switch {
	case h.catalog.Form == leaf.PuppetDB && h.source != nil && h.source.Declared:
		return inPuppetDB
	case h.exported && h.Rule != exportedSecret:
		return exported
	}
	return noExposure
}

// isWorldReadable reports whether a mode of a file, such as `0644` or `u=rw,go=r`, lets every
// user read it. An unknown mode does not.
func isWorldReadable(mode string) bool {
	if digits := strings.Trim(mode, "01234567"); digits == "" && mode != "" {
		return (mode[len(mode)-1]-'0')&4 != 0
	}
	readable := false
	for clause := range strings.SplitSeq(mode, ",") {
		i := strings.IndexAny(clause, "=+-")
		if i < 0 {
			return false
		}
		who, reads := clause[:i], strings.Contains(clause[i+1:], "r")
		if who != "" && !strings.ContainsAny(who, "oa") {
			continue
		}
		switch clause[i] {
		case '=':
			readable = reads
		case '+':
			readable = readable || reads
		default:
			readable = readable && !reads
		}
	}
	return readable
}

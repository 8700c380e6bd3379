package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// nodeList returns the names of nodes with ranges of numbers: node[01-12].example.com.
func nodeList(nodes []string) string {
	const most = 8
	names := slices.Clone(nodes)
	slices.Sort(names)
	var parts []string
	for i := 0; i < len(names); {
		head, number, tail, ok := numbered(names[i])
		n := i + 1
		last := number
		for ok && n < len(names) {
			h, next, rest, also := numbered(names[n])
			if !also || h != head || rest != tail || len(next) != len(last) || !follows(last, next) {
				break
			}
			last = next
			n++
		}
		if n-i > 1 {
			parts = append(parts, fmt.Sprintf("%s[%s-%s]%s", head, number, last, tail))
		} else {
			parts = append(parts, names[i])
		}
		i = n
	}
	if len(parts) > most {
		parts = append(parts[:most], fmt.Sprintf("and %d more", len(parts)-most))
	}
	return strings.Join(parts, ", ")
}

// numbered splits a name at its first number.
func numbered(name string) (head, number, tail string, ok bool) {
	i := strings.IndexAny(name, "0123456789")
	if i < 0 {
		return name, "", "", false
	}
	j := i
	for j < len(name) && '0' <= name[j] && name[j] <= '9' {
		j++
	}
	return name[:i], name[i:j], name[j:], j-i < 10
}

func follows(a, b string) bool {
	x, errX := strconv.Atoi(a)
	y, errY := strconv.Atoi(b)
	return errX == nil && errY == nil && y == x+1
}

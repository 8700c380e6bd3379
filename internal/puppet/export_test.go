package puppet

import "strings"

// Sample is a property with the samples of its row.
type Sample struct{ Type, Property, Same, Other string }

// Samples returns the samples of the table.
func Samples() []Sample {
	var all []Sample
	typ := ""
	for line := range strings.Lines(table) {
		switch {
		case line[0] == '#' || line[0] == '\n':
		case line[0] != ' ':
			typ = strings.Fields(line)[0]
		default:
			s := Sample{Type: typ}
			for i, column := range columns(line) {
				switch i {
				case 0:
					s.Property = strings.TrimSuffix(column, "*")
				case 3:
					s.Same = column
				case 4:
					s.Other = column
				}
			}
			all = append(all, s)
		}
	}
	return all
}

// HasProperties reports whether the table has the properties of a type.
func HasProperties(typ string) bool { return len(TypeOf(typ).properties) > 0 }

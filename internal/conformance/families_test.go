package conformance

// runner asks pcat the question of a case. It returns nil when pcat and Puppet agree, and otherwise
// what was expected and what came; [Answer.Check] tells refusals from differences.
type runner func(*Case) error

// families returns what runs the cases of each family that is built, by the family's name. folder
// is where the cases come from, for the definitions that some need.
func families(_ Folder) map[string]runner {
	return map[string]runner{}
}

package puppetdb

// For the tests.
var (
	ErrRelationship = errRelationship
)

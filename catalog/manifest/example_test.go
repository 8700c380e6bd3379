package manifest_test

import (
	"fmt"

	"github.com/pcatdev/pcat/catalog/manifest"
)

// A manifest as the compiler saw it, for a reader of the control repository.
func ExampleLocator() {
	l := manifest.Locator{SourceURL: "https://git.example.com/control/blob/{environment}/{path}#L{line}"}
	const file = "/etc/puppetlabs/code/environments/production/site/profile/manifests/db.pp"
	fmt.Println(l.Line(file, 3))
	fmt.Println(l.URL(file, 3))
	// Output:
	// site/profile/manifests/db.pp:3
	// https://git.example.com/control/blob/production/site/profile/manifests/db.pp#L3
}

package semver_test

import (
	"fmt"

	"github.com/pcatdev/pcat/pcore/semver"
)

func ExampleParseRange() {
	r, err := semver.ParseRange("^1.2 || ~2.3.1")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"1.9.0", "2.0.0", "2.3.4", "1.5.0-rc.1"} {
		v, err := semver.Parse(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(v, r.Contains(v))
	}
	fmt.Println(r.Normalized())
	// Output:
	// 1.9.0 true
	// 2.0.0 false
	// 2.3.4 true
	// 1.5.0-rc.1 false
	// >=1.2.0 <2.0.0 || >=2.3.1 <2.4.0
}

func ExampleVersion_Compare() {
	rc, _ := semver.Parse("1.10.0-rc.2")
	final, _ := semver.Parse("1.10.0")
	old, _ := semver.Parse("1.9.0")
	fmt.Println(rc.Compare(final), rc.Compare(old))
	// Output: -1 1
}

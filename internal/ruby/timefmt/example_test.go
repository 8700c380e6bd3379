package timefmt_test

import (
	"fmt"

	"github.com/pcatdev/pcat/internal/ruby/timefmt"
)

func ExampleInstantFormat() {
	day := timefmt.NewInstantFormat("%A, %-d. %B %Y at %R %:z")
	t, err := timefmt.ParseInstant("2016-09-06T08:34:59.123 PDT", timefmt.Zone{})
	if err != nil {
		fmt.Println(err)
		return
	}
	zone, err := timefmt.ParseZone("+02:00")
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := day.Format(t, zone)
	fmt.Println(t)
	fmt.Println(text, err)
	// Output:
	// 2016-09-06T15:34:59.123000000 UTC
	// Tuesday, 6. September 2016 at 17:34 +02:00 <nil>
}

func ExampleSpanFormat() {
	d, err := timefmt.ParseSpan("1-02:03:04.005")
	if err != nil {
		fmt.Println(err)
		return
	}
	hours, err := timefmt.NewSpanFormat("%H h %-M min %S.%3N s")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d)
	fmt.Println(hours.Format(d)) // Puppet drops the leading zeros of the fraction
	// Output:
	// 1-02:03:04.005
	// 26 h 3 min 04.5   s
}

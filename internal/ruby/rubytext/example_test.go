package rubytext_test

import (
	"fmt"

	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
)

func ExampleFormat() {
	s, _ := rubytext.Format("%-6s|%05.1f|%x", pcore.String("ab"), pcore.Float(3.14159), pcore.Integer(-255))
	fmt.Println(s)
	_, err := rubytext.Format("%d", pcore.String("many"))
	fmt.Println(err)
	// Output:
	// ab    |003.1|..f01
	// invalid value for Integer(): "many"
}

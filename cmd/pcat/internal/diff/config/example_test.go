package config_test

import (
	"fmt"

	"github.com/pcatdev/pcat/cmd/pcat/internal/diff/config"
)

func ExampleImportOctocatalog() {
	text, err := config.ImportOctocatalog("File[/tmp/*]::parameters::owner=+>root", "*[*]::parameters::content=~>^[-+]# date")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(text))
	// Output:
	// ignore:
	//   - at: File[/tmp/*]/parameters/owner
	//     when: $new =~ Enum['root']
	//   - at: '*[*]/parameters/content'
	//     any: (?i)^# date
}

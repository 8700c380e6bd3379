package puppetdb_test

import (
	"fmt"
	"time"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/puppetdb"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

func ExampleReplace() {
	data := []byte(`{"name":"web01","version":1,"environment":"production","resources":[
		{"type":"File","title":"/etc/motd","exported":false,"parameters":{"require":"Package[base]"}},
		{"type":"Package","title":"base","exported":false}],"edges":[]}`)
	format := formats.RichJSON()
	for c, err := range catalog.NewReaderBytes(data, format, serialization.DecodeOptions{}).Catalogs() {
		if err != nil {
			fmt.Println(err)
			return
		}
		sent, err := puppetdb.Replace(c, puppetdb.Submission{Producer: "puppet.example.com", Time: time.Unix(1_700_000_000, 0)})
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, member := range []string{"certname", "producer_timestamp", "edges"} {
			v, _ := sent.GetString(member)
			fmt.Println(member, v)
		}
	}
	// Output:
	// certname 'web01'
	// producer_timestamp '2023-11-14T22:13:20.000Z'
	// edges [{'relationship' => 'required-by', 'source' => {'type' => 'Package', 'title' => 'base'}, 'target' => {'type' => 'File', 'title' => '/etc/motd'}}]
}

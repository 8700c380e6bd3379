package graph_test

import (
	"fmt"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
)

func Example() {
	file, err := catalog.Open("../../testdata/graphs/cycle-contain.json")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	for c, err := range file.Catalogs() {
		if err != nil {
			fmt.Println(err)
			return
		}
		g, err := graph.New(c)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, cycle := range g.Cycles() {
			for i, node := range cycle.Printed {
				if i > 0 {
					fmt.Print(" => ")
				}
				fmt.Print(g.Node(node).Ref)
			}
			fmt.Println()
			for _, step := range cycle.Path {
				fmt.Println(g.Node(step.Arrow.From).Ref, step.Arrow.Kind, g.Node(step.Arrow.To).Ref)
			}
		}
	}
	// Output:
	// Notify[i] => Class[Inner] => Class[Outer] => Notify[i]
	// Class[Outer] require Notify[i]
	// Class[Inner] contains Notify[i]
	// Class[Outer] contains Class[Inner]
}

func ExampleGraph_Refreshes() {
	file, err := catalog.Open("../../testdata/graphs/refresh.json")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	for c, err := range file.Catalogs() {
		if err != nil {
			fmt.Println(err)
			return
		}
		g, err := graph.New(c)
		if err != nil {
			fmt.Println(err)
			return
		}
		changed, _ := g.Find(catalog.Ref{Type: "File", Title: "/etc/extra.conf"})
		for _, r := range g.Refreshes(changed) {
			fmt.Print("would refresh ", g.Node(r.Node).Ref, " via")
			for _, p := range r.Path[:len(r.Path)-1] {
				fmt.Print(" ", g.Node(p.Node).Ref)
			}
			fmt.Println()
		}
	}
	// Output:
	// would refresh Package[nginx] via File[/etc/extra.conf] Class[Conf] Class[Web]
	// would refresh Service[nginx] via File[/etc/extra.conf] Class[Conf] Class[Web]
	// would refresh Exec[/bin/third] via File[/etc/extra.conf] Class[Conf] Class[Web] Package[nginx]
	// would refresh Package[p] via File[/etc/extra.conf] Class[Conf] Class[Web] Package[nginx] Exec[/bin/third]
	// would refresh Service[s] via File[/etc/extra.conf] Class[Conf] Class[Web] Package[nginx] Exec[/bin/third] Package[p]
}

func ExampleCycle() {
	file, err := catalog.Open("../../testdata/graphs/long-chord.json")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	for c, err := range file.Catalogs() {
		if err != nil {
			fmt.Println(err)
			return
		}
		g, err := graph.New(c)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, cycle := range g.Cycles() {
			cut := cycle.Cuts[0]
			fmt.Println(len(cycle.Members), "resources, shortest:", len(cycle.Path))
			fmt.Println("remove", g.Node(cut.Arrow.From).Ref, cut.Arrow.Kind, g.Node(cut.Arrow.To).Ref, "and", cut.Left, "are left")
		}
	}
	// Output:
	// 8 resources, shortest: 4
	// remove Notify[n4] before Notify[n5] and 0 are left
}

package syntax

import "testing"

func BenchmarkParseExpr(b *testing.B) {
	for name, src := range map[string]string{
		"type":  "Variant[Hash[String[1, 10], Optional[Array[Integer[0, 65535]]]], Struct[{name => String, Optional[mode] => Enum[a, b, c]}]]",
		"value": `{'name' => "host-${n}", 'ports' => [80, 443, 0x1f90], 'opts' => {a => undef, b => default, c => -1.5}}`,
		"call":  "$xs.filter |Integer $x| { $x % 2 == 0 and !($x in $ys) }.map |$x| { $x * 3 + 1 }",
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := (Config{}).ParseExpr("", src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

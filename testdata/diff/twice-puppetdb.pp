# The same catalog, where Puppet writes rich values in two ways, and without some of their parts.
# profile: auto
# old form: puppetdb
# old
define holder($value) { }
holder { 'regexps': value => [/naïve/, /\u2603\/x/, /(?i:é)/, /(?mix:a b)/, /a\/b/, /(é)|(a)/, /[(]é/] }
holder { 'nested': value => { 'a' => [{ 'b' => /é/ }], /ü/ => 'key', [/ö/, 1] => 'list' } }
holder { 'types': value => [Pattern[/é/, /a/], Regexp[/ß/], Optional[Pattern[/é/]], Variant[Regexp[/é/], String]] }
holder { 'lost': value => [Sensitive[String], Boolean[true], Struct[{ a => Sensitive[Integer[1, 2]] }], { Sensitive[String] => 1 }] }
holder { 'call': value => [Deferred('join', [[/é/, Sensitive[String], Boolean[false], Sensitive('pw-one-1')], ','])] }
holder { 'secret': value => { 'a' => Sensitive([/é/, 'x']), 'b' => 1 } }
holder { 'secret key': value => [{ Sensitive('pw-two-2') => 'v', 'other' => 1 }] }
# new
define holder($value) { }
holder { 'regexps': value => [/naïve/, /\u2603\/x/, /(?i:é)/, /(?mix:a b)/, /a\/b/, /(é)|(a)/, /[(]é/] }
holder { 'nested': value => { 'a' => [{ 'b' => /é/ }], /ü/ => 'key', [/ö/, 1] => 'list' } }
holder { 'types': value => [Pattern[/é/, /a/], Regexp[/ß/], Optional[Pattern[/é/]], Variant[Regexp[/é/], String]] }
holder { 'lost': value => [Sensitive[String], Boolean[true], Struct[{ a => Sensitive[Integer[1, 2]] }], { Sensitive[String] => 1 }] }
holder { 'call': value => [Deferred('join', [[/é/, Sensitive[String], Boolean[false], Sensitive('pw-one-1')], ','])] }
holder { 'secret': value => { 'a' => Sensitive([/é/, 'x']), 'b' => 1 } }
holder { 'secret key': value => [{ Sensitive('pw-two-2') => 'v', 'other' => 1 }] }

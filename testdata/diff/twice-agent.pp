# The same catalog, where Puppet writes rich values in two ways, and without some of their parts.
# profile: default
# old form: agent
# old
define holder($value) { }
holder { 'regexps': value => [/naïve/, /\u2603\/x/, /(?i:é)/, /(?mix:a b)/, /a\/b/, /(é)|(a)/, /[(]é/] }
holder { 'nested': value => { 'a' => [{ 'b' => /é/ }], /ü/ => 'key', [/ö/, 1] => 'list' } }
holder { 'types': value => [Pattern[/é/, /a/], Regexp[/ß/], Optional[Pattern[/é/]], Variant[Regexp[/é/], String]] }
# new
define holder($value) { }
holder { 'regexps': value => [/naïve/, /\u2603\/x/, /(?i:é)/, /(?mix:a b)/, /a\/b/, /(é)|(a)/, /[(]é/] }
holder { 'nested': value => { 'a' => [{ 'b' => /é/ }], /ü/ => 'key', [/ö/, 1] => 'list' } }
holder { 'types': value => [Pattern[/é/, /a/], Regexp[/ß/], Optional[Pattern[/é/]], Variant[Regexp[/é/], String]] }

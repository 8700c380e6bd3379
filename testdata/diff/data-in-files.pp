# profile: content
# change: change content File[/b.yaml] /parameters/content
# old
file { '/a.json': content => '{"a":1,"b":[1,2]}' }
file { '/b.yaml': content => "a:\n  b: 1\n" }
# new
file { '/a.json': content => "{ \"b\": [1, 2],\n \"a\": 1 }\n" }
file { '/b.yaml': content => "a:\n  b: 2\n" }

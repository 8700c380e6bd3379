# change: change secret User[a] /parameters/password
# change: change sensitive User[b] /parameters/password
# change: change sensitive User[c] /parameters/password
# change: change sensitive Vh[x] /parameters/options/k
# change: change content File[/copy] /parameters/content
# old
define vh (Integer $port = 80, Hash $options = {}) {
  file { "/etc/nginx/sites/${title}.conf": content => "server {\n  server_name ${title};\n  listen ${port};\n}\n", notify => Service['svc1'] }
  file { "/srv/${title}": ensure => directory }
}
service { 'svc1': ensure => running }
user { 'a': password => Sensitive('t0k3n-Zz91-old') }
user { 'b': password => Sensitive('weak') }
user { 'c': password => 't0k3n-Zz91-two' }
vh { 'x': options => { 'k' => Sensitive('t0k3n-Zz91-nest') } }
file { '/copy': content => "a\nkey t0k3n-Zz91-two\nb\n" }
# new
define vh (Integer $port = 80, Hash $options = {}) {
  file { "/etc/nginx/sites/${title}.conf": content => "server {\n  server_name ${title};\n  listen ${port};\n}\n", notify => Service['svc1'] }
  file { "/srv/${title}": ensure => directory }
}
service { 'svc1': ensure => running }
user { 'a': password => Sensitive('t0k3n-Zz91-new') }
user { 'b': password => 'weak' }
user { 'c': password => Sensitive('t0k3n-Zz91-two') }
vh { 'x': options => { 'k' => 't0k3n-Zz91-nest' } }
file { '/copy': content => "a\nkey t0k3n-Zz91-two\nc\n" }

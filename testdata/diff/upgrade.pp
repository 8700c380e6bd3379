# profile: upgrade
# change: change type Vh[x] /parameters/options/n
# old
define vh (Integer $port = 80, Hash $options = {}) {
  file { "/etc/nginx/sites/${title}.conf": content => "server {\n  server_name ${title};\n  listen ${port};\n}\n", notify => Service['svc1'] }
  file { "/srv/${title}": ensure => directory }
}
service { 'svc1': ensure => running }
vh { 'x': options => { 'n' => 1 } }
user { 'u': uid => 1500, groups => ['adm'] }
# new
define vh (Integer $port = 80, Hash $options = {}) {
  file { "/etc/nginx/sites/${title}.conf": content => "server {\n  server_name ${title};\n  listen ${port};\n}\n", notify => Service['svc1'] }
  file { "/srv/${title}": ensure => directory }
}
service { 'svc1': ensure => running }
vh { 'x': options => { 'n' => '1' } }
user { 'u': uid => '1500', groups => 'adm' }

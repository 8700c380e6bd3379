# profile: effect
# change: change value Package[p] /parameters/ensure
# old
define vh (Integer $port = 80, Hash $options = {}) {
  file { "/etc/nginx/sites/${title}.conf": content => "server {\n  server_name ${title};\n  listen ${port};\n}\n", notify => Service['svc1'] }
  file { "/srv/${title}": ensure => directory }
}
service { 'svc1': ensure => running }
vh { 'x': options => { 'n' => 1 } }
file { '/gone': ensure => absent, content => 'x' }
package { 'p': ensure => '1.0-1' }
# new
define vh (Integer $port = 80, Hash $options = {}) {
  file { "/etc/nginx/sites/${title}.conf": content => "server {\n  server_name ${title};\n  listen ${port};\n}\n", notify => Service['svc1'] }
  file { "/srv/${title}": ensure => directory }
}
service { 'svc1': ensure => running }
vh { 'x': options => { 'n' => 2 } }
file { '/gone': ensure => absent, content => 'y' }
package { 'p': ensure => '0.9-2' }

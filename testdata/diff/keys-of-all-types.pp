# change: change nested Vh[x] /parameters/options/__pvalue/1
# change: change array Vh[x] /parameters/options/__pvalue/5
# old
define vh (Integer $port = 80, Hash $options = {}) {
  file { "/etc/nginx/sites/${title}.conf": content => "server {\n  server_name ${title};\n  listen ${port};\n}\n", notify => Service['svc1'] }
  file { "/srv/${title}": ensure => directory }
}
service { 'svc1': ensure => running }
vh { 'x': options => { 1 => 'a', 'b' => default, 3.5 => [1, 2] } }
# new
define vh (Integer $port = 80, Hash $options = {}) {
  file { "/etc/nginx/sites/${title}.conf": content => "server {\n  server_name ${title};\n  listen ${port};\n}\n", notify => Service['svc1'] }
  file { "/srv/${title}": ensure => directory }
}
service { 'svc1': ensure => running }
vh { 'x': options => { 1 => 'z', 'b' => default, 3.5 => [1, 3] } }

# change: move rename Vh[weblog.example.com]  from Vh[blog.example.com]
# change: move rename File[/etc/nginx/sites/weblog.example.com.conf]  from File[/etc/nginx/sites/blog.example.com.conf]
# change: move rename File[/srv/weblog.example.com]  from File[/srv/blog.example.com]
# refresh: Service[svc1]
# old
define vh (Integer $port = 80, Hash $options = {}) {
  file { "/etc/nginx/sites/${title}.conf": content => "server {\n  server_name ${title};\n  listen ${port};\n}\n", notify => Service['svc1'] }
  file { "/srv/${title}": ensure => directory }
}
service { 'svc1': ensure => running }
vh { 'blog.example.com': port => 8080, options => { 'gzip' => 'on', 'brotli' => 'off' } }
# new
define vh (Integer $port = 80, Hash $options = {}) {
  file { "/etc/nginx/sites/${title}.conf": content => "server {\n  server_name ${title};\n  listen ${port};\n}\n", notify => Service['svc1'] }
  file { "/srv/${title}": ensure => directory }
}
service { 'svc1': ensure => running }
vh { 'weblog.example.com': port => 8080, options => { 'gzip' => 'on', 'brotli' => 'off' } }

class web { package { 'nginx': ensure => installed } -> file { '/etc/nginx.conf': content => 'x' } ~> service { 'nginx': ensure => running } }
class conf { file { '/etc/extra.conf': content => 'y' } file { '/etc/quiet.conf': } }
class empty { }
class tail { exec { '/bin/tail': refreshonly => true } notify { 'n': } }
define vhost() { file { "/etc/vhost/${title}": content => $title } }
class all { contain conf  vhost { 'a': } }
include web, conf, all, empty, tail
Class['conf'] ~> Class['web']
Vhost['a'] ~> Class['empty']
Class['empty'] ~> Class['tail']
exec { '/bin/first': notify => Exec['/bin/second'] }
exec { '/bin/second': refreshonly => true, before => Exec['/bin/third'] }
exec { '/bin/third': subscribe => [File['/etc/quiet.conf'], Package['nginx']] }
package { 'p': subscribe => Exec['/bin/third'], notify => Service['s'] }
service { 's': ensure => running }
user { 'u': notify => Group['g'] }
group { 'g': notify => Service['s'] }

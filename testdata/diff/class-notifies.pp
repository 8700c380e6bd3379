# change: add value File[/m] /parameters/mode
# refresh: Exec[reload]
# refresh: Service[svc1]
# old
service { 'svc1': ensure => running }
class a { file { '/m': notify => Service['svc1'] } }
include a
exec { 'reload': command => '/bin/true', refreshonly => true, subscribe => Class['a'] }
# new
service { 'svc1': ensure => running }
class a { file { '/m': mode => '0600', notify => Service['svc1'] } }
include a
exec { 'reload': command => '/bin/true', refreshonly => true, subscribe => Class['a'] }

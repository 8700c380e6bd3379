# old
file { '/a': }
service { 'svc1': ensure => running }
File['/a'] ~> Service['svc1']
# new
file { '/a': notify => Service['svc1'] }
service { 'svc1': ensure => running }

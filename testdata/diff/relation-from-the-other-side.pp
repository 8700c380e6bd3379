# old
file { '/a': notify => Service['svc1'] }
service { 'svc1': ensure => running }
# new
file { '/a': }
service { 'svc1': ensure => running, subscribe => File['/a'] }

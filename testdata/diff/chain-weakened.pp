# change: remove relation File[/a] /parameters/notify
# change: add relation File[/a] /parameters/before
# old
file { '/a': notify => Service['svc1'] }
service { 'svc1': ensure => running }
# new
file { '/a': before => Service['svc1'] }
service { 'svc1': ensure => running }

# change: change value File[conf] /parameters/path
# refresh: Service[s]
# old
file { 'conf': path => '/etc/a', content => 'x', notify => Service['s'] }
service { 's': ensure => running }
# new
file { 'conf': path => '/etc/b', content => 'x', notify => Service['s'] }
service { 's': ensure => running }

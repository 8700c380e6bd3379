# change: move rename File[/etc/motd]  from File[motd]
# old
file { 'motd': path => '/etc/motd', content => 'x' }
exec { '/bin/true': require => File['motd'] }
# new
file { '/etc/motd': content => 'x' }
exec { '/bin/true': require => File['/etc/motd'] }

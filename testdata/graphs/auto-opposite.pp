file { '/opt/c': ensure => directory, require => File['/opt/c/x'] }
file { '/opt/c/x': }
user { 'u': gid => 'g' } -> group { 'g': }
exec { '/opt/bin/x': } -> file { '/opt/bin/x': }

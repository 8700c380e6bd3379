file { '/tmp/a': ensure => directory, require => Notify['x'] }
file { '/tmp/a/b': ensure => file }
notify { 'x': require => File['/tmp/a/b'] }

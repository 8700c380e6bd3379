exec { '/tmp/run.sh': before => File['/tmp/run.sh'] }
file { '/tmp/run.sh': ensure => file, owner => 'joe' }
user { 'joe': ensure => present, gid => 'g', require => Exec['/tmp/run.sh'] }
group { 'g': }

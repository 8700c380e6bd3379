# profile: effect
# change: change value Exec[later] /parameters/unless
# change: change value Exec[contained] /parameters/unless
# change: change value Exec[always] /parameters/unless
# old
class cls { exec { 'contained': command => '/bin/c', refreshonly => true, unless => '/bin/old' } }
include cls
file { '/f': ensure => file, notify => [Exec['later'], Class['cls']] }
exec { 'never': command => '/bin/a', refreshonly => true, unless => '/bin/old', require => File['/f'] }
exec { 'later': command => '/bin/b', refreshonly => true, unless => '/bin/old' }
exec { 'always': command => '/bin/d', unless => '/bin/old' }
# new
class cls { exec { 'contained': command => '/bin/c', refreshonly => true, unless => '/bin/new' } }
include cls
file { '/f': ensure => file, notify => [Exec['later'], Class['cls']] }
exec { 'never': command => '/bin/a', refreshonly => true, unless => '/bin/new', require => File['/f'] }
exec { 'later': command => '/bin/b', refreshonly => true, unless => '/bin/new' }
exec { 'always': command => '/bin/d', unless => '/bin/new' }

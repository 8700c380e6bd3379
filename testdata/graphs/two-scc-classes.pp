class a { notify { 'a1': require => Class['b'] } }
class b { notify { 'b1': require => Class['a'] } }
class c { file { '/tmp/q': ensure => directory } file { '/tmp/q/r': ensure => file, before => File['/tmp/q/s'] } file { '/tmp/q/s': before => File['/tmp/q/r'] } }
include a, b, c
notify { 'lone': require => [Class['a'], Class['c']] }

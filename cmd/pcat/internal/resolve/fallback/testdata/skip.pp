class a {
  exec { 'fails': command => '/bin/false', before => Notify['before me'], }
  notify { 'sibling of the failure': }
  notify { 'before me': }
}
class b { require a
  notify { 'in b': }
  thing { 'in b': }
}
class c { notify { 'in c': } }
define thing { notify { "in thing ${title}": } }
thing { 'free': }
thing { 'needy': require => Exec['fails'] }
notify { 'listens': subscribe => Notify['in thing needy'] }
notify { 'first': before => [Class['b'], Notify['last'], Exec['fails']] }
notify { 'last': }
file { '/tmp/d': ensure => directory, require => Class['a'] }
file { '/tmp/d/f': content => 'x' }
stage { 'post': require => Stage['main'] }
class { 'late': stage => 'post' }
class late { notify { 'late': } }
include a, b, c

file { '/srv': ensure => directory, owner => 'joe', group => 'g' }
file { '/srv/a/b/c': ensure => link, target => '/srv/t' }
file { '/srv/t': ensure => '/srv/u' }
file { '/srv/u/': }
file { 'odd': path => '/srv/u/deep//x/../y/' }
user { 'joe': gid => 'g', groups => ['h','i'] }
user { 'kim': gid => 77 }
group { 'g': } group { 'h': } group { 'i': } group { '77g': gid => '77' }
exec { 'run': command => "/srv/t --flag /srv/u\n/srv/u x", cwd => '/srv', onlyif => ['/srv/a/b/c q', '/bin/test -f /srv/u'], unless => '/srv/u', user => 'joe' }
exec { 'quoted': command => "\"/srv/u\" quoted", provider => shell }
package { 'pkg': source => '/srv/u', provider => dpkg, responsefile => '/srv/t' }
file { '/': ensure => directory }

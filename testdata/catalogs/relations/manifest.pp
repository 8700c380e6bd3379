# Relationships in every spelling, resources that go by another name than their title, and exported ones.
class site { contain site::app }
class site::app {
  file { 'app dir': ensure => directory, path => '/srv/app/' }
  file { '/srv/app/conf.d/': ensure => directory, require => File['app dir'] }
  file { '/srv/app/app.conf':
    content => Sensitive('password = Tr0ub4dor&3'),
    require => [File['/srv/app/conf.d'], Package['app']],
    notify  => Service['app'],
  }
  package { 'app': ensure => '1.4.0', name => 'app-server' }
  service { 'app': ensure => running, name => 'appd', subscribe => [Package['app'], Exec['build cache', 'warm up']] }
  exec { 'build cache': command => '/usr/bin/app-cache build', alias => ['zeta', 'alpha'], tag => ['slow', 'cache'] }
  exec { 'warm up': command => '/usr/bin/app-cache warm', require => Exec['zeta'], before => Class['site::done'] }
  user { 'app owner': ensure => present, name => 'app', alias => 'owner', password => Sensitive('$6$salt$abc') }
}
class site::done { notify { 'done': message => 'all done' } notify { "two\nlines": } }
define site::vhost(String $docroot, Hash $options = {}) {
  file { "/etc/vhosts/${title}": content => $docroot, audit => ['mode', 'content'], tag => ['vhost', 'web'] }
}
include site
include site::done
site::vhost { 'www': docroot => '/srv/www', options => { 'key' => Sensitive('n3sted'), 'since' => Timestamp('2024-01-02T03:04:05Z'), 'data' => Binary('AQID') }, require => Class['site'] }
site::vhost { ['a', 'b']: docroot => '/srv/x', before => Site::Vhost['www'] }
Notify["two\nlines"] -> Notify['done'] ~> Site::Vhost['a', 'b']
tidy { 'tmp files': path => '/var/tmp/app', recurse => true }
group { 'admins': ensure => present, name => 'app-admins', gid => 900 }
user { 'deploy': ensure => present, gid => 'app-admins', require => Group['app-admins'], before => User['owner'] }
@@notify { 'for others': message => 'exported', require => Notify['done'] }
@@notify { 'for all': message => 'exported and collected', require => Notify['done'] }
Notify <<| title == 'for all' |>>
notify { 'deferred': message => Deferred('upcase', ['late']) }

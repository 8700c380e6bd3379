# Packages and services. They are only compared with the system, never changed.
Package { noop => true }
Service { noop => true }
package { 'pcat-unknown-package': ensure => present, provider => dpkg, source => '/nowhere.deb' }
package { 'coreutils': ensure => Deferred('downcase', ['INSTALLED']), provider => dpkg }
package { 'pcat-other-package':
  ensure   => Deferred('join', [['1', '2', '3'], '.']),
  provider => apt,
}
package { 'pcat-listed': ensure => [Deferred('join', [['2', '0'], '.'])], provider => apt }
service { 'pcat-service': ensure => Deferred('downcase', ['STOPPED']), enable => Deferred('inline_epp', ['<%= false %>']), provider => debian }

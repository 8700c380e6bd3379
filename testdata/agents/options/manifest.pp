# A call in an array that the agent of Puppet 8 refuses when it reads the catalog.
Package { noop => true }
package { 'pcat-other-package':
  ensure          => present,
  provider        => apt,
  install_options => ['--no-install-recommends', Deferred('sprintf', ['-o=%s', 'Debug=1'])],
}

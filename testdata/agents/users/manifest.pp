# Accounts. They are only compared with the system, never changed.
User { noop => true }
Group { noop => true }
group { 'pcat-deploy': ensure => present, gid => 64001 }
user { 'pcat-deploy':
  ensure   => present,
  uid      => 64001,
  gid      => 'pcat-deploy',
  comment  => Deferred('sprintf', ['deploys to %s', Deferred('$facts', ['role'])]),
  home     => Deferred('join', [['/srv', 'deploy'], '/']),
  shell    => '/bin/sh',
  password => Sensitive('$6$salt$AdGtbT0dJgYR0dM9'),
  require  => Group['pcat-deploy'],
}
user { 'pcat-app':
  ensure   => present,
  password => Sensitive(Deferred('sprintf', ['$6$%s', 'salt$T0dJgYR0dM9AdGtb'])),
  groups   => ['pcat-deploy'],
}
user { 'root': ensure => present, comment => Deferred('upcase', ['root']), home => Deferred('join', [['', 'srv', 'root'], '/']) }

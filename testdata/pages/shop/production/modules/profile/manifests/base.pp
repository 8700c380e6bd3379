# Every node of the site.
class profile::base (String $openssl) {
  package { 'openssl': ensure => $openssl }
  package { 'telnet': ensure => absent }
  package { 'openssh-server': ensure => installed }
  file { '/etc/ssh/sshd_config':
    mode    => '0600',
    content => "PermitRootLogin no\nPasswordAuthentication no\n",
    require => Package['openssh-server'],
    notify  => Service['ssh'],
  }
  service { 'ssh':
    ensure => running,
    enable => true,
  }
  group { 'ops': gid => 900 }
  user { 'deploy':
    uid    => 2001,
    groups => ['ops', 'sudo'],
    shell  => '/bin/bash',
  }
  user { 'backup':
    uid   => 2002,
    shell => '/usr/sbin/nologin',
  }
  file { '/usr/local/bin/backup':
    mode    => '0777',
    owner   => 'root',
    content => "#!/bin/sh\nexec tar -c /etc | gzip > /var/backups/etc.tar.gz\n",
  }
  exec { 'update certificates':
    command     => '/usr/sbin/update-ca-certificates',
    refreshonly => true,
  }
  file { '/var/log/shop':
    ensure => directory,
    mode   => '1777',
  }
  tidy { '/var/log/shop':
    age     => '4w',
    recurse => true,
  }
}

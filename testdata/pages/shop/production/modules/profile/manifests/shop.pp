# A web server with the shop.
class profile::shop (Sensitive[String] $db_password) {
  package { 'nginx': ensure => '1.22.1-9' }
  package { 'shop': ensure => latest }
  file { '/etc/nginx/nginx.conf':
    mode    => '0644',
    content => "worker_processes auto;\ninclude /etc/nginx/sites/*;\n",
    require => Package['nginx'],
    notify  => Service['nginx'],
  }
  file { '/etc/nginx/tls.key':
    mode    => '0600',
    content => Sensitive(Deferred('vault_lookup::lookup', ['shop/tls'])),
    notify  => Service['nginx'],
  }
  file { '/etc/shop/banner':
    content => Deferred('inline_epp', ["Welcome to <%= \$node %>\n", { 'node' => Deferred('$facts', ['networking', 'fqdn']) }]),
  }
  service { 'nginx':
    ensure => running,
    enable => true,
  }
  file { '/etc/shop/database.yaml':
    mode    => '0644',
    owner   => 'deploy',
    content => "host: db01.example.com\nuser: shop\npassword: ${db_password.unwrap}\n",
    notify  => Exec['migrate the database'],
  }
  exec { 'migrate the database':
    command     => "/usr/bin/shop migrate --user shop --password ${db_password.unwrap}",
    refreshonly => true,
    timeout     => 0,
    subscribe   => Package['shop'],
  }
  exec { 'build the cache':
    command => '/usr/bin/shop cache',
    creates => '/var/cache/shop/index',
    user    => 'deploy',
  }
  notify { 'shop':
    message => "The shop uses the password ${db_password}",
  }
}

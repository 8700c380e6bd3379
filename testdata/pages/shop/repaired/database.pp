# A database server for the shop.
class profile::database (
  Sensitive[String] $shop_password,
  Sensitive[String] $admin_password,
) {
  package { 'postgresql': ensure => '15.6-0+deb12u1' }
  service { 'postgresql':
    ensure    => running,
    enable    => true,
    subscribe => File['/etc/postgresql/15/main/postgresql.conf'],
  }
  file { '/etc/postgresql/15/main/postgresql.conf':
    mode    => '0644',
    owner   => 'postgres',
    content => "listen_addresses = '*'\nmax_connections = 200\n",
  }
  file { '/etc/postgresql/15/main/pg_hba.conf':
    mode    => '0666',
    owner   => 'postgres',
    content => "host all all 10.0.0.0/8 scram-sha-256\n",
  }
  exec { 'role shop':
    command => Sensitive("/usr/bin/psql -c \"ALTER ROLE shop PASSWORD '${shop_password.unwrap}'\""),
    user    => 'postgres',
    unless  => '/usr/bin/test -e /var/lib/postgresql/.shop',
  }
  file { '/root/.pgpass':
    mode    => '0600',
    content => Sensitive("localhost:5432:shop:admin:${admin_password.unwrap}\n"),
  }
}

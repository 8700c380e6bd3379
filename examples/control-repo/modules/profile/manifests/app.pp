# An application with a database. The password stays Sensitive on its way into the file.
class profile::app (
  Sensitive[String[1]] $password,
  String[1]            $host = 'db01.example.com',
) {
  package { 'app':
    ensure => installed,
  }
  file { '/etc/app/database.yaml':
    owner   => 'app',
    mode    => '0600',
    content => Sensitive(epp('profile/database.yaml.epp', { 'host' => $host, 'password' => $password.unwrap })),
    require => Package['app'],
    notify  => Service['app'],
  }
  service { 'app':
    ensure => running,
    enable => true,
  }
}

# Installs pcatd with the class `pcatd::package`, and runs its service.
#
# @param options
#   Options of `pcatd serve`, without the dashes. Several values give the option several times, and `true` gives it
#   without a value.
# @param groups
#   Groups of the service, which has a user of its own: for folders with catalogs.
# @param credentials
#   Files that only root can read, by a name. The service has each as `/run/credentials/pcatd.service/NAME`.
#
# @example A server that receives the catalogs of compilers
#   class { 'pcatd':
#     options => {
#       'terminus'          => ':8082',
#       'terminus-client'   => ['compiler1.example.com', 'compiler2.example.com'],
#       'terminus-tls-cert' => '/run/credentials/pcatd.service/cert.pem',
#       'terminus-tls-key'  => '/run/credentials/pcatd.service/key.pem',
#       'terminus-tls-ca'   => '/run/credentials/pcatd.service/ca.pem',
#       'terminus-tls-crl'  => '/run/credentials/pcatd.service/crl.pem',
#       'alertmanager'      => 'http://127.0.0.1:9093',
#     },
#     credentials => {
#       'cert.pem' => "/etc/puppetlabs/puppet/ssl/certs/${trusted['certname']}.pem",
#       'key.pem'  => "/etc/puppetlabs/puppet/ssl/private_keys/${trusted['certname']}.pem",
#       'ca.pem'   => '/etc/puppetlabs/puppet/ssl/certs/ca.pem',
#       'crl.pem'  => '/etc/puppetlabs/puppet/ssl/crl.pem',
#     },
#   }
class pcatd (
  Hash[Pattern[/\A[a-z][a-z-]*\z/], Variant[Pcatd::Value, Array[Pcatd::Value, 1], Boolean]] $options = {},
  Array[Pattern[/\A[a-z_][a-z0-9_-]*\z/]] $groups = [],
  Hash[Pattern[/\A[A-Za-z0-9._-]+\z/], Pattern[/\A\/[^\s:]+\z/]] $credentials = {},
) {
  include pcatd::package

  file { '/etc/default/pcatd':
    ensure  => file,
    mode    => '0644',
    content => epp('pcatd/default.epp', { 'options' => $options }),
    require => Package['pcatd'],
  }
  file { '/etc/systemd/system/pcatd.service.d':
    ensure => directory,
    mode   => '0755',
  }
  file { '/etc/systemd/system/pcatd.service.d/puppet.conf':
    ensure  => file,
    mode    => '0644',
    content => epp('pcatd/service.epp', { 'groups' => $groups, 'credentials' => $credentials }),
  }
  # An upgrade of the package restarts the service by itself.
  service { 'pcatd':
    ensure    => running,
    enable    => true,
    require   => Package['pcatd'],
    subscribe => File['/etc/default/pcatd', '/etc/systemd/system/pcatd.service.d/puppet.conf'],
  }
}

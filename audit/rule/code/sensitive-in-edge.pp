# Fix
TYPE { 'a title without the secret': }
# Wrong
class profile::app (Sensitive[String] $token) {
  exec { "/opt/app/bin/register ${token.unwrap}": }
  -> service { 'app': ensure => running }
}
include profile::app
# Right
class profile::app (Sensitive[String] $token) {
  file { '/etc/app/token':
    mode    => '0600',
    content => $token,
  }
  -> exec { '/opt/app/bin/register --token-file /etc/app/token': }
  -> service { 'app': ensure => running }
}
include profile::app

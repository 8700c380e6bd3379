# Fix
PARAMETER => Sensitive(lookup('profile::app::PARAMETER'))
# Wrong
class profile::db (Sensitive[String] $root_password = Sensitive('changeme')) {
  package { 'mysql-server': ensure => installed }
}
include profile::db
# Right
# In data/common.yaml:
#   profile::db::root_password: ENC[PKCS7,MIIBiQYJKoZIhvcNAQcDoIIBejCCAXYCAQAx]
#   lookup_options:
#     profile::db::root_password: {convert_to: Sensitive}
class profile::db (Sensitive[String[12]] $root_password) {
  package { 'mysql-server': ensure => installed }
}
include profile::db

# Fix
PARAMETER => Sensitive(lookup('profile::app::PARAMETER'))
# Wrong
class profile::app (String $db_password) {
  package { 'app': ensure => installed }
}
include profile::app
# Right
# In data/common.yaml:
#   lookup_options:
#     profile::app::db_password: {convert_to: Sensitive}
class profile::app (Sensitive[String] $db_password) {
  package { 'app': ensure => installed }
}
include profile::app

# Fix
PARAMETER => Sensitive(lookup('profile::app::PARAMETER'))
# Wrong
class profile::app (String $api_token) {
  file { '/etc/app/seed':
    mode    => '0640',
    content => $api_token,
  }
}
include profile::app
# Right
# In data/common.yaml:
#   lookup_options:
#     profile::app::api_token: {convert_to: Sensitive}
class profile::app (Sensitive[String] $api_token) {
  file { '/etc/app/seed':
    mode    => '0640',
    content => $api_token,
  }
}
include profile::app

# Wrong
class profile::app (String $api_token) {
  file { '/etc/motd':
    content => "Ask the operators if ${api_token} does not work.\n",
  }
}
include profile::app
# Right
# In data/common.yaml:
#   lookup_options:
#     profile::app::api_token: {convert_to: Sensitive}
class profile::app (Sensitive[String] $api_token) {
  file { '/etc/motd':
    content => Sensitive("Ask the operators if ${api_token.unwrap} does not work.\n"),
  }
}
include profile::app

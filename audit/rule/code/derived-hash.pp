# Fix
PARAMETER => Sensitive(sha256($secret.unwrap))
# Wrong
class profile::api (Sensitive[String] $token) {
  file { '/etc/api/token':
    mode    => '0600',
    content => $token,
  }
  file { '/etc/api/token.sha256':
    content => sha256($token.unwrap),
  }
}
include profile::api
# Right
class profile::api (Sensitive[String] $token) {
  file { '/etc/api/token':
    mode    => '0600',
    content => $token,
  }
  file { '/etc/api/token.sha256':
    mode    => '0600',
    content => Sensitive(sha256($token.unwrap)),
  }
}
include profile::api

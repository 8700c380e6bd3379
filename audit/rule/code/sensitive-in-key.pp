# Fix
PARAMETER => { 'a key without the secret' => Sensitive($secret) }
# Wrong
define profile::api (Hash $tokens) {}

class profile::app (Sensitive[String] $token) {
  profile::api { 'main':
    tokens => { $token.unwrap => 'admin' },
  }
}
include profile::app
# Right
define profile::api (Hash $roles) {}

class profile::app (Sensitive[String] $token) {
  profile::api { 'main':
    roles => { 'admin' => { 'token' => $token } },
  }
}
include profile::app

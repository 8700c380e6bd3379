# Fix
PARAMETER => Sensitive(lookup('profile::app::token'))
# Wrong
file { '/etc/ci/runner.token':
  mode    => '0600',
  content => lookup('profile::ci::github_token'),
}
# Right
# A new token, which the agent fetches:
file { '/etc/ci/runner.token':
  mode    => '0600',
  content => Deferred('vault_lookup::lookup', ['secret/data/ci', { 'field' => 'github' }]),
}

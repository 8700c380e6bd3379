# Fix
PARAMETER => node_encrypt::secret($secret)
# Wrong
file { '/etc/app/token':
  mode    => '0600',
  content => Sensitive(lookup('profile::app::api_token')),
}
# Right
# Encrypted for the certificate of the node, and decrypted by its agent.
file { '/etc/app/token':
  mode    => '0600',
  content => node_encrypt::secret(lookup('profile::app::api_token')),
}

# Fix
PARAMETER => Sensitive(lookup('profile::app::PARAMETER'))
# Wrong
class profile::keycloak (String $admin_password = 'changeme') {
  file { '/etc/keycloak/admin':
    mode    => '0600',
    content => Sensitive($admin_password),
  }
}
include profile::keycloak
# Right
# Without a default, a node without a password in Hiera gets no catalog.
# In data/common.yaml:
#   profile::keycloak::admin_password: ENC[PKCS7,MIIBiQYJKoZIhvcNAQcDoIIBejCCAXYCAQAx]
#   lookup_options:
#     profile::keycloak::admin_password: {convert_to: Sensitive}
class profile::keycloak (Sensitive[String[12]] $admin_password) {
  file { '/etc/keycloak/admin':
    mode    => '0600',
    content => $admin_password,
  }
}
include profile::keycloak

# Fix
tag => 'a_tag_without_the_secret'
# Wrong
class profile::cluster (Sensitive[String] $secret) {
  @@host { $trusted['certname']:
    ip  => $facts['networking']['ip'],
    tag => $secret.unwrap,
  }
}
include profile::cluster
# Right
class profile::cluster (Sensitive[String] $secret) {
  @@host { $trusted['certname']:
    ip  => $facts['networking']['ip'],
    tag => 'cluster_app',
  }
}
include profile::cluster

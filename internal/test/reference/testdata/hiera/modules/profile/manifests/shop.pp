class profile::shop (Variant[String, Sensitive[String]] $dsn) {
  include profile::db
  file { '/etc/shop/dsn':
    mode    => '0600',
    content => $dsn,
  }
}

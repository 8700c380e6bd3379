# Fix
TYPE { 'a title without the secret': parameter => Sensitive($secret) }
# Wrong
class profile::db (Sensitive[String] $password) {
  postgresql_psql { "ALTER ROLE app PASSWORD '${password.unwrap}'":
    db => 'app',
  }
}
include profile::db
# Right
class profile::db (Sensitive[String] $password) {
  postgresql_psql { 'password of the role app':
    db      => 'app',
    command => Sensitive("ALTER ROLE app PASSWORD '${password.unwrap}'"),
  }
}
include profile::db

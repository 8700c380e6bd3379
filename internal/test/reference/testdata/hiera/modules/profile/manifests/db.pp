# The class takes plain and Sensitive values, so that the data can become Sensitive later.
class profile::db (
  Variant[String, Sensitive[String]] $password,
  Variant[Hash, Sensitive[Hash]] $settings,
  String $user = 'app',
) {
  file { '/etc/app/db.conf':
    mode    => '0600',
    content => Sensitive("user=${user}\npassword=${password.unwrap}\n"),
  }
  file { '/etc/app/replica.conf':
    mode    => '0600',
    content => Sensitive("password=${settings.unwrap['replica']['password']}\n"),
  }
}

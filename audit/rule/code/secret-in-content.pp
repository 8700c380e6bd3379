# Fix
PARAMETER => Sensitive(epp('TEMPLATE', $parameters))
# Wrong
$password = lookup('profile::app::db_password')

file { '/etc/app/db.conf':
  mode    => '0600',
  content => epp('profile/db.conf.epp', { 'password' => $password }),
}
# Right
# The content is Sensitive because the template prints a Sensitive value. Content
# that comes from a string or from ERB needs Sensitive(…) around it.
$password = Sensitive(lookup('profile::app::db_password'))

file { '/etc/app/db.conf':
  mode    => '0600',
  content => epp('profile/db.conf.epp', { 'password' => $password }),
}

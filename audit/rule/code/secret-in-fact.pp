# Fix
facts : { blocklist : [ "PARAMETER" ] }
# Wrong
class { 'app':
  password => $facts['app_password'],
}
# Right
class { 'app':
  password => Sensitive(lookup('profile::app::password')),
}

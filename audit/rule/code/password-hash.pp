# Fix
PARAMETER => Sensitive(lookup('profile::app::password_hash'))
# Wrong
user { 'deploy':
  password => lookup('profile::users::deploy_hash'),
}
# Right
user { 'deploy':
  password => Sensitive(lookup('profile::users::deploy_hash')),
}

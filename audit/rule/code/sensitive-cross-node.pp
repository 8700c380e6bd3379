# Fix
PARAMETER => Sensitive(lookup('profile::app::PARAMETER'))
# Wrong
node 'db01.example.com' {
  file { '/etc/app/seed':
    mode    => '0600',
    content => Sensitive(lookup('profile::app::seed')),
  }
}
node 'web01.example.com' {
  file { '/etc/app/seed':
    mode    => '0600',
    content => lookup('profile::app::seed'),
  }
}
# Right
# In data/common.yaml:
#   lookup_options:
#     profile::app::seed: {convert_to: Sensitive}
node 'db01.example.com', 'web01.example.com' {
  file { '/etc/app/seed':
    mode    => '0600',
    content => lookup('profile::app::seed'),
  }
}

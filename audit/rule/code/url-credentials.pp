# Fix
PARAMETER => 'https://git.example.com/app.git'
# Wrong
$password = lookup('profile::app::git_password')

vcsrepo { '/srv/app':
  provider => git,
  source   => "https://deploy:${password}@git.example.com/app.git",
}
# Right
$password = lookup('profile::app::git_password')

file { '/root/.netrc':
  mode    => '0600',
  content => Sensitive("machine git.example.com login deploy password ${password}\n"),
}
-> vcsrepo { '/srv/app':
  provider => git,
  source   => 'https://git.example.com/app.git',
}

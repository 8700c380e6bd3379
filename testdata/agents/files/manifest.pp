# Files, folders and links without any call.
file { '/tmp/pcat-agent/etc': ensure => directory, mode => '0755' }
file { '/tmp/pcat-agent/etc/app.conf':
  ensure  => file,
  mode    => '0600',
  content => "[app]\nname = shop\numlaut = ü\n",
}
file { '/tmp/pcat-agent/etc/empty': ensure => file, content => '' }
file { '/tmp/pcat-agent/etc/blob': ensure => file, content => Binary('AAECA/8=') }
file { '/tmp/pcat-agent/etc/token': ensure => file, mode => '0600', content => Sensitive("s3cret-t0ken\n") }
file { '/tmp/pcat-agent/etc/link': ensure => link, target => '/tmp/pcat-agent/etc/app.conf' }
file { '/tmp/pcat-agent/etc/several':
  ensure  => file,
  content => join(['one', 'two'], "\n"),
  require => File['/tmp/pcat-agent/etc/app.conf'],
}

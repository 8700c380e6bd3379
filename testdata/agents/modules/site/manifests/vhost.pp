# A virtual host.
define site::vhost (
  Integer[1, 65535] $port = 80,
  Array[String[1]] $aliases = [],
  Variant[String, Deferred] $owner = 'nobody',
) {
  file { "/tmp/pcat-agent/sites/${title}.conf":
    ensure  => file,
    mode    => '0640',
    content => epp('site/vhost.epp', { 'name' => $title, 'port' => $port, 'aliases' => $aliases }),
  }
  file { "/tmp/pcat-agent/sites/${title}.owner":
    ensure  => file,
    content => $owner,
    require => File["/tmp/pcat-agent/sites/${title}.conf"],
  }
}

# change: move rename Class[New]  from Class[Old]
# change: move rename Class[New::Config]  from Class[Old::Config]
# change: move rename Class[New::Service]  from Class[Old::Service]
# old
class old::config { file { '/etc/x': content => 'x' } }
class old::service { service { 'x': ensure => running } }
class old {
  contain old::config
  contain old::service
  Class['old::config'] ~> Class['old::service']
}
include old
# new
class new::config { file { '/etc/x': content => 'x' } }
class new::service { service { 'x': ensure => running } }
class new {
  contain new::config
  contain new::service
  Class['new::config'] ~> Class['new::service']
}
include new

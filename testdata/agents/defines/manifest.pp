# Defined types with templates that the server evaluates, and a call as a parameter.
file { '/tmp/pcat-agent/sites': ensure => directory }
site::vhost { 'shop.example.com': port => 8080, aliases => ['shop', 'www.shop.example.com'] }
site::vhost { 'blog.example.com': owner => Deferred('capitalize', ['bob']) }
class site_main { site::vhost { 'static.example.com': owner => 'alice' } }
include site_main

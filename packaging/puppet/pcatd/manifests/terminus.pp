# Makes Puppet Server send its catalogs to pcatd, with all secrets in them. Use it on the nodes of Puppet Server only.
#
# The route is written when the check of the terminus succeeds, in this run or in a later one: a route to a terminus that
# does not work ends Puppet Server. To remove the terminus, remove the route and reload Puppet Server first.
#
# @param url
#   The address of `pcatd serve --terminus`.
# @param max_bytes
#   The limit of the compressed catalogs that wait in each JRuby instance.
# @param connect_timeout
#   Seconds until a connection is made.
# @param read_timeout
#   Seconds until an answer.
# @param puppetdb
#   Whether facts are stored in PuppetDB. It decides the other line of `routes.yaml`, which this class writes.
# @param confdir
#   The directory of `puppet.conf`.
# @param server_conf
#   The file `puppetserver.conf`.
# @param ruby_dir
#   A directory of its `ruby-load-path` with Puppet itself, to which a link to the terminus is added.
# @param ruby
#   The Ruby of Puppet.
# @param share
#   The directory of the package with the terminus and its check.
# @param manage_package
#   Whether the class `pcatd::package` installs the package. The class `pcatd` runs the service.
# @param reload
#   The command that reloads Puppet Server.
class pcatd::terminus (
  Pattern[/\Ahttps:\/\/[^\s"\\]+\z/] $url,
  Optional[Integer[1]] $max_bytes = undef,
  Optional[Numeric] $connect_timeout = undef,
  Optional[Numeric] $read_timeout = undef,
  Boolean $puppetdb = true,
  Pattern[/\A\/\S*\z/] $confdir = '/etc/puppetlabs/puppet',
  Pattern[/\A\/\S*\z/] $server_conf = '/etc/puppetlabs/puppetserver/conf.d/puppetserver.conf',
  Pattern[/\A\/\S*\z/] $ruby_dir = '/opt/puppetlabs/puppet/lib/ruby/vendor_ruby',
  Pattern[/\A\/\S*\z/] $ruby = '/opt/puppetlabs/puppet/bin/ruby',
  Pattern[/\A\/\S*\z/] $share = '/usr/share/pcatd/puppet',
  Boolean $manage_package = true,
  String[1] $reload = '/usr/bin/systemctl reload puppetserver',
) {
  if $manage_package {
    include pcatd::package
    Package['pcatd'] -> File["${ruby_dir}/puppet/indirector/catalog/pcatd.rb"]
  }

  file { "${ruby_dir}/puppet/indirector/catalog/pcatd.rb":
    ensure => link,
    target => "${share}/lib/puppet/indirector/catalog/pcatd.rb",
  }

  file { "${confdir}/pcatd.json":
    ensure  => file,
    mode    => '0644',
    content => epp('pcatd/pcatd.json.epp', {
      'settings' => {
        'url'             => $url,
        'max_bytes'       => $max_bytes,
        'connect_timeout' => $connect_timeout,
        'read_timeout'    => $read_timeout,
      },
    }),
    require => File["${ruby_dir}/puppet/indirector/catalog/pcatd.rb"],
    notify  => Exec['pcatd: reload Puppet Server'],
  }

  file { "${confdir}/routes.yaml":
    ensure       => file,
    mode         => '0644',
    content      => epp('pcatd/routes.yaml.epp', { 'puppetdb' => $puppetdb }),
    validate_cmd => "${ruby} ${share}/check.rb ${server_conf} --confdir ${confdir}",
    require      => File["${confdir}/pcatd.json"],
    notify       => Exec['pcatd: reload Puppet Server'],
  }

  exec { 'pcatd: reload Puppet Server':
    command     => $reload,
    refreshonly => true,
  }
}

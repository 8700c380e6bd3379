# frozen_string_literal: true

# Checks whether Puppet Server can send catalogs to pcatd:
#
#   ruby check.rb [PUPPETSERVER.CONF] [SETTINGS OF PUPPET]
#
# Run it with Puppet's Ruby, /opt/puppetlabs/puppet/bin/ruby in the packages of Puppet and OpenVox, before you add
# the route: a route to a missing terminus ends the server at its next reload. The check sends no catalog. The exit
# status is 1 if a check fails.

require 'puppet'
require 'puppet/util/yaml'

LIB = File.join(__dir__, 'lib')
CONF = [ARGV.first.to_s.start_with?('--') ? nil : ARGV.shift,
        '/etc/puppetlabs/puppetserver/conf.d/puppetserver.conf',
        '/etc/puppet/puppetserver/conf.d/puppetserver.conf'].compact.freeze

failed = false
check = lambda do |name, &test|
  puts "ok    #{name}: #{test.call}"
rescue StandardError, ScriptError => e
  failed = true
  puts "FAIL  #{name}: #{e.message}"
end

$LOAD_PATH.unshift(LIB)
Puppet.initialize_settings(ARGV + ['--run_mode', 'server'])

check.call('terminus') do
  Puppet::Indirector::Terminus.terminus_class(:catalog, :pcatd) or raise "Puppet does not find it in #{LIB}"
  LIB
end

check.call('ruby-load-path') do
  conf = CONF.find { |file| File.exist?(file) } or raise "no puppetserver.conf: name it"
  text = File.read(conf).gsub(/(#|\/\/).*/, '')
  dirs = text[/ruby-load-path\s*[:=]\s*\[([^\]]*)\]/m, 1].to_s.split(/[\s,"]+/)
  dirs.any? { |dir| File.exist?(File.join(dir, 'puppet/indirector/catalog/pcatd.rb')) } or raise "add #{LIB} in #{conf}"
  conf
end

settings = nil
check.call('settings') do
  settings = Puppet::Resource::Catalog::Pcatd::Settings.read
  Puppet::Resource::Catalog::Pcatd::Settings.file
end

check.call('connection') do
  raise 'not tried without settings' unless settings

  answer = settings.connection.start { |http| http.get('/status/v1/simple') }
  raise "status #{answer.code}" unless answer.code == '200'

  "#{settings.url} accepts the certificate #{settings.hostcert}"
end

check.call('route') do
  file = Puppet[:route_file]
  routes = File.exist?(file) ? Puppet::Util::Yaml.safe_load_file(file, [Symbol]) : {}
  cache = (routes['server'] || routes['master'] || {}).dig('catalog', 'cache')
  cache == 'pcatd' ? "set in #{file}" : "not yet set in #{file}: if all else is ok, add it"
end

exit(failed ? 1 : 0)

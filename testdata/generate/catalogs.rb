#!/usr/bin/env ruby
# catalogs.rb - compiles manifests with real Puppet and writes every form in which Puppet can
# serve the catalog: NAME/manifest.pp of SRC (with SRC/modules) becomes NAME/rich.json and its
# siblings in OUT, which is SRC itself when it is not given.
#   ruby catalogs.rb [--out OUT] SRC [NAME...]      (no NAME: every catalog of SRC/index.json)
require 'json'
require 'tmpdir'
require 'fileutils'
require 'securerandom'
require 'puppet'
require 'puppet/parser/compiler'
require 'msgpack'

outdir = ARGV.shift(2).last if ARGV.first == '--out'
src, *names = ARGV
abort 'usage: catalogs.rb [--out OUT] SRC [NAME...]' unless src
outdir ||= src
known = File.join(src, 'index.json')
index = File.exist?(known) ? JSON.parse(File.read(known)) : {}
names = index.keys if names.empty?
state = Dir.mktmpdir('o')
at_exit { FileUtils.rm_rf(state) }
Puppet.initialize_settings(%w[conf var log run].zip(%w[--confdir --vardir --logdir --rundir]).flat_map { |d, o| [o, File.join(state, d)] } + ['--certname', 'web01.example.com'])
Puppet::Util::Log.level = :err
Puppet::Util::Log.newdestination(:console)
ENVROOT = File.join(state, 'environments')
FileUtils.mkdir_p(File.join(ENVROOT, 'production'))
FileUtils.cp_r(File.join(src, 'modules'), File.join(ENVROOT, 'production')) if Dir.exist?(File.join(src, 'modules'))
REAL = '/etc/puppetlabs/code/environments/production'
FACTS = {
  'networking' => { 'fqdn' => 'web01.example.com', 'hostname' => 'web01', 'domain' => 'example.com', 'ip' => '192.0.2.10', 'interfaces' => { 'eth0' => { 'ip' => '192.0.2.10', 'mac' => '02:00:00:00:00:01' } } },
  'os' => { 'name' => 'Debian', 'family' => 'Debian', 'release' => { 'full' => '12.5', 'major' => '12', 'minor' => '5' } },
  'processors' => { 'count' => 4, 'models' => ['vCPU', 'vCPU', 'vCPU', 'vCPU'] },
  'memory' => { 'system' => { 'total_bytes' => 8_589_934_592 } },
  'kernel' => 'Linux', 'is_virtual' => true, 'virtual' => 'kvm', 'timezone' => 'UTC',
  'load_averages' => { '1m' => 0.25 }, 'empty' => '', 'list' => [1, 2, 3]
}
H = Puppet::Network::FormatHandler
# What PuppetDB is sent is made where Debian's puppet-terminus-puppetdb is installed.
TERMINUS = begin
  require 'puppet/indirector/catalog/puppetdb'
  Puppet::Resource::Catalog::Puppetdb.new
rescue LoadError
  nil
end
def fmt(n) H.format(n) end

names.each do |name|
  code = File.read(File.join(src, name, 'manifest.pp'), encoding: 'UTF-8')
  mdir = File.join(ENVROOT, 'production', 'manifests')
  FileUtils.mkdir_p(mdir)
  FileUtils.rm_f(Dir[File.join(mdir, '*.pp')])
  File.write(File.join(mdir, 'site.pp'), code)
  env = Puppet::Node::Environment.create(:production, [File.join(ENVROOT, 'production', 'modules')], mdir)
  loaders = Puppet::Environments::StaticDirectory.new('production', File.join(ENVROOT, 'production'), env)
  facts = Puppet::Node::Facts.new('web01.example.com', FACTS)
  node = Puppet::Node.new('web01.example.com', environment: env, facts: facts)
  node.merge(FACTS)
  node.trusted_data = { 'authenticated' => 'remote', 'certname' => 'web01.example.com', 'extensions' => {}, 'hostname' => 'web01', 'domain' => 'example.com' }
  node.add_server_facts({ 'servername' => 'puppet.example.com', 'serverip' => '192.0.2.1', 'serverversion' => '7.23.0', 'environment' => 'production' })
  dir = File.join(outdir, name)
  FileUtils.mkdir_p(dir)
  o = ->(file, data) { File.binwrite(File.join(dir, file), data) }
  # a catalog compiled again keeps its uuid, so that only what changed changes
  info = { 'catalog_uuid' => index.dig(name, 'catalog_uuid') || SecureRandom.uuid }
  begin
    Puppet.override(environments: loaders, current_environment: env, rich_data: false) do
      cat = Puppet::Parser::Compiler.compile(node)
      cat = cat.filter { |r| r.virtual? }
      cat.version = 1_700_000_000
      cat.catalog_uuid = info['catalog_uuid']
      cat.code_id = nil
      cat.resources.each do |r|
        r.file = r.file.sub(File.join(ENVROOT, 'production'), REAL) if r.file
      end
      rich = fmt(:rich_data_json).render(cat)
      o['rich.json', rich]
      o['rich.msgpack', fmt(:rich_data_msgpack).render(cat)]
      begin
        o['plain.json', fmt(:json).render(cat)]
        o['plain.msgpack', fmt(:msgpack).render(cat)]
      rescue StandardError => e
        info['plain_error'] = e.message[0, 200]
      end
      Puppet.override(stringify_rich: true) { o['stringified.json', fmt(:json).render(cat).gsub(/#<Sensitive \[value redacted\]:\d+>/, '#<Sensitive [value redacted]:OBJECT_ID>')] }
      o['facts.json', JSON.pretty_generate(FACTS) + "\n"]
      if TERMINUS
        data, = TERMINUS.munge_catalog(cat, Time.utc(2024, 1, 2, 3, 4, 5), transaction_uuid: info['catalog_uuid'], environment: 'production')
        o['puppetdb.json', data.to_json.gsub(/#<Sensitive \[value redacted\]:\d+>/, '#<Sensitive [value redacted]:OBJECT_ID>')]
      end
      begin
        o['catalog.dot', fmt(:dot).render(cat)]
      rescue StandardError => e
        info['dot_error'] = e.message[0, 200]
      end
      info['resources'] = cat.resources.size
      info['edges'] = cat.edges.size
      info['classes'] = cat.classes.size
      info['sensitive_parameters'] = cat.resources.sum { |r| r.sensitive_parameters.size }
      info['rich_bytes'] = rich.bytesize
      # what an agent does with it happens in a process of its own: agent.rb
      got = IO.popen([RbConfig.ruby, File.join(__dir__, 'agent.rb'), dir, File.join(ENVROOT, 'production')], &:read)
      info.merge!(JSON.parse(got))
    end
  rescue StandardError, SystemStackError => e
    info['error'] = e.message.gsub(ENVROOT + '/production', REAL)
    warn "#{name}: #{e.class} #{e.message}"
    warn e.backtrace.first(6).join("\n")
  end
  index[name] = info
end
File.write(File.join(outdir, 'index.json'), JSON.pretty_generate(index) + "\n")

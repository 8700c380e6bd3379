# compile.rb - compiles manifests as a server does, one after the other.
#   ruby compile.rb STATE BASE     (STATE is an empty folder, BASE the folder that holds modules/)
# Each line of the input is {"code": MANIFEST, "data": {FILE: YAML}, "node": CERTNAME}; the files are
# the levels of Hiera, the first one first. Each line of the output is {"json": TEXT}, the catalog with
# its exported resources in rich JSON, or {"error": MESSAGE}.
require 'fileutils'
require 'json'
require 'puppet'

state, base = ARGV
Puppet.initialize_settings(%w[conf var log run].flat_map { |d| ["--#{d}dir", File.join(state, d)] })
Puppet::Util::Log.level = :crit
folder = File.join(state, 'production')
rich = Puppet::Network::FormatHandler.format(:rich_data_json)

$stdout.sync = true
$stdin.each_line do |line|
  question = JSON.parse(line)
  FileUtils.rm_rf(folder)
  FileUtils.mkdir_p([File.join(folder, 'data'), File.join(folder, 'manifests')])
  FileUtils.cp_r(File.join(base, 'modules'), folder)
  File.write(File.join(folder, 'manifests', 'site.pp'), question['code'])
  question['data'].each { |name, text| File.write(File.join(folder, 'data', name), text) }
  levels = question['data'].keys.map { |name| { 'name' => name, 'path' => name } }
  File.write(File.join(folder, 'hiera.yaml'), JSON.generate('version' => 5, 'hierarchy' => levels))
  name = question['node']
  facts = { 'networking' => { 'fqdn' => name, 'ip' => '192.0.2.10' } }
  answer =
    begin
      env = Puppet::Node::Environment.create(:production, [File.join(folder, 'modules')], File.join(folder, 'manifests'))
      known = Puppet::Environments::StaticDirectory.new('production', folder, env)
      node = Puppet::Node.new(name, environment: env, facts: Puppet::Node::Facts.new(name, facts))
      node.merge(facts)
      node.trusted_data = { 'authenticated' => 'remote', 'certname' => name, 'extensions' => {},
                            'hostname' => name.split('.').first, 'domain' => 'example.com' }
      node.add_server_facts('servername' => 'puppet.example.com', 'environment' => 'production')
      Puppet.override(current_environment: env, environments: known, loaders: Puppet::Pops::Loaders.new(env)) do
        catalog = Puppet::Parser::Compiler.compile(node).filter { |r| r.virtual? && !r.exported? }
        { 'json' => rich.render(catalog) }
      end
    rescue StandardError => e
      { 'error' => "#{e.class}: #{e.message}" }
    end
  puts JSON.generate(answer)
end

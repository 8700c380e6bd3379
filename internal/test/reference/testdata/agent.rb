# agent.rb - reads catalogs as an agent does, one after the other, and writes them as rich JSON.
#   ruby agent.rb STATE BASE     (STATE is an empty folder, BASE the folder that holds modules/)
# Each line of the input is {"format": NAME OF PUPPET'S, "file": PATH}; each line of the output
# {"json": TEXT} or {"error": MESSAGE}.
require 'json'
require 'puppet'
require 'msgpack'

state, base = ARGV
Puppet.initialize_settings(%w[conf var log run].flat_map { |d| ["--#{d}dir", File.join(state, d)] } +
                           ['--certname', 'web01.example.com'])
Puppet::Util::Log.level = :crit
env = Puppet::Node::Environment.create(:production, [File.join(base, 'modules')])
known = Puppet::Environments::StaticDirectory.new('production', base, env)
rich = Puppet::Network::FormatHandler.format(:rich_data_json)

$stdout.sync = true
$stdin.each_line do |line|
  question = JSON.parse(line)
  text = File.binread(question['file'])
  text.force_encoding('UTF-8') unless question['format'].end_with?('msgpack')
  answer =
    begin
      Puppet.override(current_environment: env, environments: known, loaders: Puppet::Pops::Loaders.new(env)) do
        form = Puppet::Network::FormatHandler.format(question['format'].to_sym)
        { 'json' => rich.render(form.intern(Puppet::Resource::Catalog, text)) }
      end
    rescue StandardError => e
      { 'error' => "#{e.class}: #{e.message}" }
    end
  puts JSON.generate(answer)
end

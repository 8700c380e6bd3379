#!/usr/bin/env ruby
# frozen_string_literal: true
#
# diff.rb - compiles the manifests of testdata/diff with real Puppet.
#
#   cd testdata/diff && ruby ../generate/diff.rb *.pp
#
# NAME.pp has two manifests, behind the lines `# old` and `# new`, which become NAME.old.json and
# NAME.new.json. What comes before them says which changes a comparison has to find. A line
# `# old form: FORM` makes the old catalog stringified, the one that the terminus of PuppetDB sends
# (puppetdb), or one that an agent has read and written again (agent).
require 'json'
require 'tmpdir'
require 'fileutils'
require 'puppet'
require 'puppet/parser/compiler'
require 'securerandom'

state = Dir.mktmpdir('o')
at_exit { FileUtils.rm_rf(state) }
Puppet.initialize_settings(%w[conf var log run].zip(%w[--confdir --vardir --logdir --rundir]).flat_map { |d, o| [o, File.join(state, d)] })
Puppet::Util::Log.level = :err

# render returns the data of a catalog in a form.
def render(catalog, form)
  case form
  when 'stringified'
    JSON.parse(Puppet.override(stringify_rich: true) { Puppet::Network::FormatHandler.format(:json).render(catalog) })
  when 'puppetdb'
    require 'puppet/indirector/catalog/puppetdb'
    catalog.code_id = nil
    ids = { transaction_uuid: SecureRandom.uuid, job_id: nil, environment: 'production' }
    Puppet::Resource::Catalog::Puppetdb.new.munge_catalog(catalog, Time.at(0).utc, ids).first
  when 'agent'
    rich = Puppet::Network::FormatHandler.format(:rich_data_json)
    JSON.parse(rich.render(rich.intern(Puppet::Resource::Catalog, rich.render(catalog))))
  else
    catalog.to_data_hash
  end
end
REAL = '/etc/puppetlabs/code/environments/production'

ARGV.each do |file|
  parts = File.read(file).split(/^# (old|new)\n/)
  { 'old' => parts[2], 'new' => parts[4] }.each_with_index do |(side, code), i|
    form = parts[0][/^# #{side} form: (\w+)$/, 1]
    root = File.join(state, "#{File.basename(file, '.pp')}-#{side}", 'production')
    manifests = File.join(root, 'manifests')
    FileUtils.mkdir_p(manifests)
    File.write(File.join(manifests, 'site.pp'), code)
    env = Puppet::Node::Environment.create(:production, [], manifests)
    loaders = Puppet::Environments::StaticDirectory.new('production', root, env)
    context = { environments: loaders, current_environment: env, loaders: Puppet::Pops::Loaders.new(env), rich_data: true }
    data = Puppet.override(context) do
      catalog = Puppet::Parser::Compiler.compile(Puppet::Node.new('web01.example.com', environment: env)).filter(&:virtual?)
      render(catalog, form)
    end
    data['version'] = 1_700_000_000 + i
    data['catalog_uuid'] = format('00000000-0000-4000-8000-%012d', i)
    File.write("#{File.basename(file, '.pp')}.#{side}.json", JSON.generate(data).gsub(root, REAL) + "\n")
  end
end

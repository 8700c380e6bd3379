#!/usr/bin/env ruby
# agent.rb - does to DIR/rich.json what an agent does: decodes it, encodes it again
# (roundtrip.json when that is not the same text), resolves its deferred values with the facts
# of DIR/facts.json (resolved.json), and prints what it found as JSON. catalogs.rb starts it.
#   ruby agent.rb DIR ENVIRONMENT      (ENVIRONMENT is the folder that holds modules/)
require 'json'
require 'tmpdir'
require 'fileutils'
require 'puppet'
require 'msgpack'
dir, base = ARGV
state = Dir.mktmpdir('o')
at_exit { FileUtils.rm_rf(state) }
Puppet.initialize_settings(%w[conf var log run].zip(%w[--confdir --vardir --logdir --rundir]).flat_map { |d, o| [o, File.join(state, d)] } + ['--certname', 'web01.example.com'])
aenv = Puppet::Node::Environment.create(:production, [File.join(base, 'modules')])
envs = Puppet::Environments::StaticDirectory.new('production', base, aenv)
f = Puppet::Network::FormatHandler.format(:rich_data_json)
rich = File.read(File.join(dir, 'rich.json'), encoding: 'UTF-8')
facts = Puppet::Node::Facts.new('web01.example.com', JSON.parse(File.read(File.join(dir, 'facts.json'))))
info = {}
begin
  Puppet.override(current_environment: aenv, environments: envs, loaders: Puppet::Pops::Loaders.new(aenv)) do
    cat = f.intern(Puppet::Resource::Catalog, rich)
    again = f.render(cat)
    info['decoded_and_encoded_again_is_identical'] = (again == rich)
    File.binwrite(File.join(dir, 'roundtrip.json'), again) unless again == rich
    begin
      cat.environment_instance = aenv
      Puppet::Pops::Evaluator::DeferredResolver.resolve_and_replace(facts, cat, aenv, true)
      File.binwrite(File.join(dir, 'resolved.json'), f.render(cat))
      info['resolved_sensitive_parameters'] = cat.resources.sum { |r| r.sensitive_parameters.size }
    rescue StandardError, SystemStackError => e
      info['resolve_error'] = e.message[0, 300]
    end
  end
rescue StandardError, SystemStackError => e
  info['decode_error'] = e.message[0, 300]
end
puts JSON.generate(info)

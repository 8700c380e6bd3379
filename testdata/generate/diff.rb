#!/usr/bin/env ruby
# frozen_string_literal: true
#
# diff.rb - compiles the manifests of testdata/diff with real Puppet.
#
#   cd testdata/diff && ruby ../generate/diff.rb *.pp
#
# NAME.pp has two manifests, behind the lines `# old` and `# new`, which become NAME.old.json and
# NAME.new.json. What comes before them says which changes a comparison has to find.
require 'json'
require 'tmpdir'
require 'fileutils'
require 'puppet'
require 'puppet/parser/compiler'

state = Dir.mktmpdir('o')
at_exit { FileUtils.rm_rf(state) }
Puppet.initialize_settings(%w[conf var log run].zip(%w[--confdir --vardir --logdir --rundir]).flat_map { |d, o| [o, File.join(state, d)] })
Puppet::Util::Log.level = :err
REAL = '/etc/puppetlabs/code/environments/production'

ARGV.each do |file|
  parts = File.read(file).split(/^# (old|new)\n/)
  { 'old' => parts[2], 'new' => parts[4] }.each_with_index do |(side, code), i|
    root = File.join(state, "#{File.basename(file, '.pp')}-#{side}", 'production')
    manifests = File.join(root, 'manifests')
    FileUtils.mkdir_p(manifests)
    File.write(File.join(manifests, 'site.pp'), code)
    env = Puppet::Node::Environment.create(:production, [], manifests)
    loaders = Puppet::Environments::StaticDirectory.new('production', root, env)
    data = Puppet.override(environments: loaders, current_environment: env, rich_data: true) do
      Puppet::Parser::Compiler.compile(Puppet::Node.new('web01.example.com', environment: env)).filter(&:virtual?).to_data_hash
    end
    data['version'] = 1_700_000_000 + i
    data['catalog_uuid'] = format('00000000-0000-4000-8000-%012d', i)
    File.write("#{File.basename(file, '.pp')}.#{side}.json", JSON.generate(data).gsub(root, REAL) + "\n")
  end
end

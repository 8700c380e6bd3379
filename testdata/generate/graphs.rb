#!/usr/bin/env ruby
# frozen_string_literal: true
#
# graphs.rb - compiles the manifests of testdata/graphs with real Puppet, and prints for each catalog
# the relationship graph of an agent: what it refuses, its cycles, and what each resource refreshes.
#
#   cd testdata/graphs && ruby ../generate/graphs.rb *.pp edited-*.json > truth.jsonl
#
# NAME.pp is compiled to NAME.json; a .json is read as it is.
require 'json'
require 'set'
require 'tmpdir'
require 'fileutils'
require 'puppet'
require 'puppet/parser/compiler'
require 'puppet/graph/relationship_graph'

module Puppet; module Test; class LogCollector
  def initialize(list) @list = list end
  def <<(message) @list << message; self end
end end end

state = Dir.mktmpdir('o')
at_exit { FileUtils.rm_rf(state) }
Puppet.initialize_settings(%w[conf var log run].zip(%w[--confdir --vardir --logdir --rundir]).flat_map { |d, o| [o, File.join(state, d)] } +
                           ['--certname', 'web01.example.com'])
LOGS = []
Puppet::Util::Log.level = :notice
Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(LOGS))
ROOT = File.join(state, 'environments', 'production')
MANIFESTS = File.join(ROOT, 'manifests')
REAL = '/etc/puppetlabs/code/environments/production'
FileUtils.mkdir_p(MANIFESTS)

def compile(code)
  File.write(File.join(MANIFESTS, 'site.pp'), code)
  env = Puppet::Node::Environment.create(:production, [], MANIFESTS)
  loaders = Puppet::Environments::StaticDirectory.new('production', ROOT, env)
  Puppet.override(environments: loaders, current_environment: env, rich_data: true) do
    cat = Puppet::Parser::Compiler.compile(Puppet::Node.new('web01.example.com', environment: env)).filter(&:virtual?)
    cat.version = 1_700_000_000
    cat.catalog_uuid = '00000000-0000-4000-8000-000000000001'
    cat.resources.each { |r| r.file = r.file.sub(ROOT, REAL) if r.file }
    Puppet::Network::FormatHandler.format(:rich_data_json).render(cat)
  end
end

def whit?(resource) resource.is_a?(Puppet::Type.type(:whit)) end

# the resources that a change of one would refresh, as Puppet::Transaction::EventManager does
def refreshed(graph, resource)
  seen = Set.new
  queue = [resource]
  while (from = queue.shift)
    (graph.instance_variable_get(:@out_from)[from] || {}).values.flatten.each do |e|
      next unless e.match?(:change) && e.callback && e.target.respond_to?(e.callback)
      queue << e.target if seen.add?(e.target)
    end
  end
  seen.reject { |r| whit?(r) }.map(&:ref).sort
end

ARGV.each do |file|
  LOGS.clear
  truth = { 'graph' => File.basename(file, '.*') }
  begin
    File.write(file.sub(/\.pp\z/, '.json'), compile(File.read(file))) if file.end_with?('.pp')
    ral = Puppet::Resource::Catalog.from_data_hash(JSON.parse(File.read(file.sub(/\.pp\z/, '.json')))).to_ral
    ral.finalize
    graph = ral.relationship_graph
    truth['edges'] = graph.edges.size
    truth['cycles'] = graph.find_cycles_in_graph.map { |c| c.map(&:to_s).uniq.sort }
    graph.report_cycles_in_graph
    truth['printed'] = LOGS.flat_map { |l| l.message.scan(/\((.+?)\)\\n/) }.flatten
    truth['refreshes'] = graph.vertices.reject { |v| whit?(v) }.map { |v| [v.ref, refreshed(graph, v)] }.to_h.reject { |_, l| l.empty? }
  rescue StandardError => e
    truth['error'] = "#{e.class}: #{e.message}".gsub(ROOT, REAL)
  end
  puts JSON.generate(truth)
end

# puppet.rb - Puppet as a peer of pcat: it decodes catalogs like an agent, and uses its type
# system. peer.go describes the protocol; `puppet.rb resolve INPUT OUTPUT` runs that job once.
require 'json'
require 'tmpdir'
require 'fileutils'
require 'puppet'
require 'msgpack'

state = Dir.mktmpdir('bench')
at_exit { FileUtils.rm_rf(state) }
Puppet.initialize_settings(%w[conf var log run].flat_map { |d| ["--#{d}dir", File.join(state, d)] } +
                           ['--certname', 'web01.example.com'])
Puppet::Util::Log.level = :crit

ENVIRONMENT = Puppet::Node::Environment.create(:production, [])
FORMATS = Puppet::Network::FormatHandler
Types = Puppet::Pops::Types

# A job is prepared with the data of the input and then run; output returns its result.
class Job
  attr_reader :output

  def initialize(data, &body)
    @data = data
    @body = body
  end

  def run = @result = @body.call(@data)
  def output = @result
end

# Questions about types. They are prepared in advance; only the answers are timed.
class Pairs < Job
  def run = @result = @data.map { |a, b| answer(a, b) }
  def output = JSON.generate(@result)

  def answer(a, b)
    a.nil? || b.nil? ? nil : @body.call(a, b)
  rescue StandardError, SystemStackError
    nil
  end
end

def type(text)
  Types::TypeParser.singleton.parse(text, Puppet.lookup(:loaders).private_environment_loader)
rescue StandardError, SystemStackError
  nil
end

def rich(data)
  [Puppet::Pops::Serialization::FromDataConverter.convert(data)]
rescue StandardError, SystemStackError
  nil
end

def catalog(data, from, to)
  form = FORMATS.format(from)
  Job.new(data) do |d|
    catalog = form.intern(Puppet::Resource::Catalog, d)
    to ? FORMATS.format(to).render(catalog) : catalog
  end
end

# The same facts as in resolve.go.
FACTS = Puppet::Node::Facts.new('web01.example.com', 'os' => { 'family' => 'Debian' })

def resolve(data)
  form = FORMATS.format(:rich_data_json)
  Job.new(data) do |d|
    catalog = form.intern(Puppet::Resource::Catalog, d)
    Puppet::Pops::Evaluator::DeferredResolver.resolve_and_replace(FACTS, catalog, ENVIRONMENT)
    form.render(catalog)
  end
end

def pairs(data, firsts, seconds, &body)
  Pairs.new(data['pairs'].map { |a, b| [firsts[a], seconds[b]] }, &body)
end

def job(name, path)
  data = File.binread(path)
  data.force_encoding('UTF-8') if path.end_with?('.json')
  case name
  when 'json-to-msgpack' then catalog(data, :rich_data_json, :rich_data_msgpack)
  when 'msgpack-to-json' then catalog(data, :rich_data_msgpack, :rich_data_json)
  when 'decode-json' then catalog(data, :rich_data_json, nil)
  when 'decode-msgpack' then catalog(data, :rich_data_msgpack, nil)
  when 'resolve' then resolve(data)
  when 'parse-types' then Pairs.new(JSON.parse(data)['texts'].map { |t| [t, t] }) { |t, _| (t = type(t)) && Types::TypeFormatter.singleton.string(t) }
  when 'assignable'
    data = JSON.parse(data)
    types = data['types'].map { |t| type(t) }
    pairs(data, types, types) { |t, u| t.assignable?(u) }
  when 'instance'
    data = JSON.parse(data)
    pairs(data, data['values'].map { |v| rich(v) }, data['types'].map { |t| type(t) }) { |(v), t| t.instance?(v) }
  end
end

ready = {}
known = Puppet::Environments::Static.new(ENVIRONMENT)
$stdout.sync = true
Puppet.override(current_environment: ENVIRONMENT, environments: known, loaders: Puppet::Pops::Loaders.new(ENVIRONMENT)) do
  if ARGV.any?
    name, input, output = ARGV
    File.binwrite(output, job(name, input).run)
    exit
  end
  $stdin.each_line do |line|
    question = JSON.parse(line)
    key = question.values_at('job', 'input')
    ready = { key => job(*key) } unless ready.key?(key)
    unless ready[key]
      puts '{"unsupported":true}'
      next
    end
    GC.start
    allocated = GC.stat(:total_allocated_objects)
    start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :nanosecond)
    question['times'].times { ready[key].run }
    spent = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :nanosecond) - start
    File.binwrite(question['output'], ready[key].output) if question['output']
    puts JSON.generate('cpu_ns' => spent, 'allocs' => GC.stat(:total_allocated_objects) - allocated)
  rescue StandardError => e
    puts JSON.generate('error' => "#{e.class}: #{e.message[0, 200]}")
  end
end

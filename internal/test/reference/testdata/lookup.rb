# lookup.rb - looks up keys in the data of environments, as puppet lookup does without --compile.
#   ruby lookup.rb STATE     (STATE is an empty folder)
# Each line of the input is {"files": {PATH: TEXT}, "facts": FACTS, "questions": [QUESTION]}: the files
# of an environment, env, and of the global layer, global. A question has keys and, as lookup() does, type, merge,
# default, override and defaults. Each line of the output is the list of the answers:
# {"value": RICH JSON, "error": MESSAGE, "explanation": TEXT}, with $DIR for the folder.
require 'fileutils'
require 'json'
require 'puppet'
require 'puppet/pops'

state = ARGV[0]
Puppet.initialize_settings(%w[conf var log run].flat_map { |d| ["--#{d}dir", File.join(state, d)] })
Puppet::Util::Log.level = :crit
Puppet[:code] = 'undef'
dir = File.join(state, 'case')
folder = File.join(dir, 'env')
to_data = Puppet::Pops::Serialization::ToDataConverter

ask = lambda do |facts, question|
  env = Puppet::Node::Environment.create(:production, [File.join(folder, 'modules')], File.join(folder, 'manifests'))
  known = Puppet::Environments::StaticDirectory.new('production', folder, env)
  node = Puppet::Node.new('web01.example.com', environment: env, facts: Puppet::Node::Facts.new('web01.example.com', facts))
  node.merge(facts)
  node.trusted_data = { 'authenticated' => 'local', 'certname' => 'web01.example.com', 'extensions' => {} }
  Puppet[:hiera_config] = File.join(dir, 'global', 'hiera.yaml')
  answer = {}
  explainer = Puppet::Pops::Lookup::Explainer.new(false, false)
  Puppet.override(current_environment: env, environments: known, loaders: Puppet::Pops::Loaders.new(env)) do
    compiler = Puppet::Parser::Compiler.new(node)
    compiler.compile do |catalog|
      scope = compiler.topscope
      type = question['type'] && Puppet::Pops::Types::TypeParser.singleton.parse(question['type'], scope)
      invocation = Puppet::Pops::Lookup::Invocation.new(scope, question['override'] || {}, question['defaults'] || {}, explainer)
      begin
        value = Puppet::Pops::Lookup.lookup(question['keys'], type, question['default'], question.key?('default'), question['merge'], invocation)
        answer['value'] = JSON.generate(to_data.convert(value, rich_data: true))
      rescue StandardError => e
        answer['error'] = e.message
      end
      catalog
    end
  end
  answer['explanation'] = explainer.explain
  answer.transform_values { |text| text.gsub(dir, '$DIR') }
rescue StandardError => e
  { 'error' => "#{e.class}: #{e.message}" }
end

$stdout.sync = true
$stdin.each_line do |line|
  question = JSON.parse(line)
  FileUtils.rm_rf(dir)
  FileUtils.mkdir_p(folder)
  question['files'].each do |name, text|
    FileUtils.mkdir_p(File.dirname(File.join(dir, name)))
    File.write(File.join(dir, name), text)
  end
  puts JSON.generate(question['questions'].map { |q| ask.call(question['facts'], q) })
end

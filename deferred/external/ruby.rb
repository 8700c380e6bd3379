# Calls Puppet functions. The first line of the input contains the module path, the folders to load
# from, the name of the node and its facts. Every other line is a call,
# {"function": NAME, "arguments": [...]}. Each line of the output is {"value": ...}, in rich data, or
# {"error": MESSAGE}. The value of the first reply is the version of Puppet. If the facts are null, a
# reply to a call that read them has "needs_facts" and no value.
require 'json'

Encoding.default_external = Encoding::UTF_8
questions = $stdin.dup
answers = $stdout.dup
answers.sync = true
$stdin.reopen(File::NULL) # child processes of functions must not read calls,
$stdout.reopen($stderr)   # and their output is not a reply

needs_facts = false
answer = lambda do |&block|
  needs_facts = false
  reply =
    begin
      { 'value' => block.call }
    rescue StandardError, ScriptError, SystemStackError => e
      { 'error' => e.message.dup.force_encoding(Encoding::UTF_8).scrub }
    end
  reply = { 'error' => 'needs facts', 'needs_facts' => true } if needs_facts # even if the function rescued the error
  line =
    begin
      JSON.generate(reply, max_nesting: 0)
    rescue JSON::JSONError
      JSON.generate('error' => 'the result cannot be written as JSON')
    end
  answers.puts(line)
end
parse = ->(line) { JSON.parse(line, max_nesting: false) }
serialization = nil
scope = nil

answer.call do
  world = parse.call(questions.gets)
  require 'puppet'
  serialization = Puppet::Pops::Serialization
  nowhere = %w[conf var log run code].flat_map { |dir| ["--#{dir}dir", "/nonexistent/#{dir}"] }
  Puppet.initialize_settings(nowhere + ['--certname', world['node'], '--color', 'false'])
  Puppet::Util::Log.level = :warning
  Puppet::Util::Log.newdestination(:console)
  $LOAD_PATH.push(*world['libraries'])
  environment = Puppet::Node::Environment.create(:production, world['modulepath'])
  Puppet.push_context(current_environment: environment,
                      environments: Puppet::Environments::Static.new(environment),
                      loaders: Puppet::Pops::Loaders.new(environment))
  compiler = Puppet::Parser::ScriptCompiler.new(environment, world['node'], true)
  scope = compiler.topscope
  if world['facts'].nil?
    scope.define_singleton_method(:lookupvar) do |name, *options|
      return super(name, *options) unless %w[facts ::facts].include?(name)

      needs_facts = true
      raise Puppet::Error, 'needs facts'
    end
  else
    scope.set_facts(serialization::FromDataConverter.convert(world['facts']))
  end
  Puppet.push_context(compiler.context_overrides)
  Puppet.version
end

binaries_as_text = lambda do |value|
  case value
  when Array then value.map(&binaries_as_text)
  when Hash then value.transform_values(&binaries_as_text)
  when Puppet::Pops::Types::PSensitiveType::Sensitive
    value.class.new(binaries_as_text.call(value.unwrap))
  when Puppet::Pops::Types::PBinaryType::Binary then value.binary_buffer
  else value
  end
end

while (line = questions.gets)
  answer.call do
    question = parse.call(line)
    arguments = binaries_as_text.call(serialization::FromDataConverter.convert(question['arguments']))
    result = scope.call_function(question['function'], arguments)
    serialization::ToDataConverter.convert(result, rich_data: true, type_by_reference: true,
                                                   local_reference: false, message_prefix: 'the result')
  end
end

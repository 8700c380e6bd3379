# native.rb - Whether Puppet accepts types and values of Go programs. Each line of the input is
# {"type": TEXT, "json": RICH DATA}, and each line of the output {"ok": BOOLEAN, "type": TEXT}: whether
# the value is an instance, and the type as Puppet writes it; or {"error": MESSAGE}.
require 'json'
require 'puppet'
require 'puppet/pops'

Puppet.initialize_settings(['--confdir', '/dev/null', '--vardir', '/dev/null'])
parser = Puppet::Pops::Types::TypeParser.singleton
calculator = Puppet::Pops::Types::TypeCalculator.singleton
converter = Puppet::Pops::Serialization::FromDataConverter
$stdout.sync = true
environment = Puppet::Node::Environment.create(:production, [])
loaders = Puppet::Pops::Loaders.new(environment)
Puppet.override({ current_environment: environment, loaders: loaders }, 'questions') do
  $stdin.each_line do |line|
    question = JSON.parse(line, max_nesting: false)
    type = parser.parse(question['type'])
    value = converter.convert(question['json'])
    puts JSON.generate('ok' => calculator.instance?(type, value), 'type' => type.to_s)
  rescue StandardError => e
    puts JSON.generate('error' => "#{e.class}: #{e.message}")
  end
end

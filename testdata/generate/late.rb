# Prints what an agent that resolves late does with a Deferred in each parameter of the types on its load path:
#
#   RUBYLIB=PUPPET/lib:MODULE/lib:… ruby -rset late.rb
#
# with a checkout of Puppet 8 or OpenVox 8 and the modules of the agent package. internal/puppet/testdata/late.txt has the answers.
require 'puppet'
require 'puppet/pops/evaluator/deferred_resolver'

Puppet.initialize_settings(ARGV)
Puppet[:log_level] = :crit
Puppet::Type.loadall

VALUE = Puppet::Pops::Evaluator::DeferredValue
TITLES = Hash.new('x').merge(file: '/tmp/x', exec: '/bin/true', tidy: '/tmp/x', k5login: '/tmp/x', zfs: 'a/b')
INTERNAL = %i[component whit stage schedule filebucket resources]
COMMON = %i[provider name loglevel noop audit tag alias schedule before require notify subscribe stage]

def outcome(type, name, value)
  attributes = { title: TITLES[type.name] }
  attributes[:user] = 'root' if type.name == :ssh_authorized_key
  parameter = type.attrclass(name).new(resource: type.new(attributes))
  parameter.value = value
  parameter.value.instance_of?(VALUE) ? 'late' : 'never'
rescue StandardError
  'error'
end

Puppet::Type.eachtype do |type|
  next if INTERNAL.include?(type.name)
  (type.validproperties + type.parameters).map(&:to_sym).each do |name|
    next if COMMON.include?(name) || type.key_attributes.include?(name)
    call = VALUE.new(proc { 'v' })
    puts [type.name, name, type.validproperty?(name) ? 'property' : 'param', outcome(type, name, call), outcome(type, name, [call])].join(' ')
  end
end

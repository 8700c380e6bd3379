# frozen_string_literal: true

# ask.rb asks Puppet::Type what Puppet's own resource types are, and prints the answers.
#
#     ruby ask.rb [MODULES...]
#
# MODULES are directories with modules, such as /usr/share/puppet/modules.available. Types
# of modules that are in none of them are left out. RUBYLIB selects another Puppet.
# README.md describes the rows; source.txt has those that Puppet::Type cannot be asked for.
#
# Nothing here changes the machine, and no answer depends on it: each type gets a provider
# that only remembers, and what Puppet would ask of the node has a fixed answer. With
# ASK_DEBUG in the environment, refusals of insync rows are explained.

Encoding.default_external = Encoding::UTF_8
$stdout.set_encoding(Encoding::UTF_8)

require 'tmpdir'
require 'puppet'
require 'puppet/parameter/boolean'
require 'puppet/property/boolean'
require 'puppet/property/keyvalue'
require 'puppet/property/list'

ANSWERS = { uids: { 'root' => 0, 'daemon' => 1 }, gids: { 'root' => 0, 'adm' => 4 } }.freeze

def prepare
  dir = Dir.mktmpdir('ask')
  at_exit { FileUtils.remove_entry(dir) }
  Puppet.initialize_settings(["--confdir=#{dir}", "--vardir=#{dir}", "--codedir=#{dir}", "--logdir=#{dir}", "--rundir=#{dir}"])
  Puppet[:log_level] = :crit
  Puppet.features.add(:root) { true }
  Dir.chdir('/')
end
prepare

# The node has no SELinux, is a Linux, and knows the ids above.
module Puppet::Util::SELinux
  def selinux_support?
    false
  end

  def self.selinux_support?
    false
  end
end

def (Puppet::Util).gid(group)
  group.is_a?(Integer) || group =~ /\A\d+\z/ ? Integer(group) : ANSWERS[:gids][group]
end

# The modules whose types are Puppet's own, and where the types come from.
MODULES = %w[
  augeas_core cron_core host_core k5login_core mailalias_core mount_core selinux_core
  sshkeys_core yumrepo_core zfs_core zone_core concat stdlib
].freeze

def sources
  found = {}
  own = File.dirname(Puppet.method(:version).source_location[0])
  Dir.glob(File.join(own, 'type', '*.rb')).sort.each { |f| found[File.basename(f, '.rb').to_sym] = 'puppet' }
  ARGV.each do |dir|
    Dir.glob(File.join(File.expand_path(dir), '*', 'lib')).sort.each do |lib|
      name = File.basename(File.dirname(lib)).sub(/\Apuppetlabs-/, '').tr('-', '_')
      next unless MODULES.include?(name)

      $LOAD_PATH << lib
      Dir.glob(File.join(lib, 'puppet', 'type', '*.rb')).sort.each { |f| found[File.basename(f, '.rb').to_sym] ||= name }
    end
  end
  found.sort.to_h
end

# A provider that has each feature and remembers what it is told.
def stub(type)
  return unless type.validattr?(:provider)

  type.provide(:asked) do
    has_features(*type.features) unless type.features.empty?
    mk_resource_methods
    def self.selinux_handle
      nil
    end

    def exists?
      true
    end

    def validatecmd(_command)
      true
    end

    def validate_source(_value)
      true
    end

    def latest
      '2.0'
    end

    # The providers of group on Linux, AIX and macOS compare so.
    def members_insync?(current, should)
      current.uniq.sort == @resource.parameter(:members).actual_should(current, should)
    end

    def name2uid(name)
      name.is_a?(Integer) || name =~ /\A\d+\z/ ? Integer(name) : ANSWERS[:uids][name]
    end

    def name2gid(name)
      name.is_a?(Integer) || name =~ /\A\d+\z/ ? Integer(name) : ANSWERS[:gids][name]
    end
  end
end

TITLES = Hash.new(%w[x y]).merge(
  exec: %w[/bin/x /bin/y], file: %w[/x /y], tidy: %w[/x /y], k5login: %w[/x /y], concat_file: %w[/x /y],
  mount: %w[/x /y], resources: %w[file group], zfs: %w[a/b a/c], component: %w[Foo[x] Foo[y]]
).freeze

# What a resource of the type cannot be without.
NEEDED = Hash.new({}).merge(
  ssh_authorized_key: { user: 'nobody-of-this-name' },
  concat_fragment: { target: '/x', content: 'x' }, file_line: { line: 'x', path: '/x' }, tidy: { recurse: true }
).freeze

def instance(type, title = 0, with = {})
  options = { title: TITLES[type.name][title] }.merge(NEEDED[type.name]).merge(with)
  options[:provider] = :asked if type.provider(:asked)
  resource = type.new(options)
  resource.define_singleton_method(:stat) { nil } if type.name == :file
  resource.file = '/x.pp'
  resource.line = 1
  resource
end

# show writes a value for a row.
def show(value)
  case value
  when Array then "[#{value.map { |v| show(v) }.join(', ')}]"
  when Hash then "{#{value.map { |k, v| "#{show(k)} => #{show(v)}" }.join(', ')}}"
  when String, Symbol, Numeric, true, false, nil, Regexp then value.inspect
  else value.to_s.inspect
  end
end

def row(*columns)
  ROWS << columns.map { |c| c.to_s.gsub("\t", ' ') }.join("\t")
end

def list(values)
  values.empty? ? '-' : values.map(&:to_s).sort.join(',')
end

def yes(bool)
  bool ? 'yes' : 'no'
end

RELATIONS = { require: :eachautorequire, before: :eachautobefore, notify: :eachautonotify, subscribe: :eachautosubscribe }.freeze

def relations(type, each)
  found = []
  type.send(each) { |other, _block| found << other }
  found
end

def ask_type(type, from)
  row('type', type.name, from, "namevars=#{list(type.key_attributes)}", "refresh=#{yes(type.method_defined?(:refresh))}",
      "self_refresh=#{yes(type.self_refresh)}", "ensurable=#{yes(type.validproperty?(:ensure))}",
      "isomorphic=#{yes(type.isomorphic?)}", "title_patterns=#{type.title_patterns.size}",
      *RELATIONS.map { |name, each| "auto#{name}=#{list(relations(type, each))}" })
end

# ask_titles prints what titles stand for, where it is not the title as the name.
def ask_titles(type)
  return if type.name == :component # its titles are references to classes

  TITLES_TRIED.each do |title|
    parsed = Puppet::Resource.new(type.name.to_s, title).to_hash
    next if parsed.size == 1 && type.key_attributes.include?(parsed.keys[0]) && parsed.values[0] == title

    row('title', type.name, show(title), show(parsed.transform_keys(&:to_s)))
  end
end

# These defaults are of the node or of its settings.
OF_THE_NODE = %w[cron.user cron.target filebucket.path host.target mailalias.target mount.target sshkey.target].freeze

def default(type, name, klass)
  return '-' unless klass.method_defined?(:default)
  return '-' if OF_THE_NODE.include?("#{type.name}.#{name}") || NEEDED[type.name].key?(name)

  one, other = [0, 1].map do |n|
    attribute = instance(type, n).parameter(name)
    attribute && (attribute.is_a?(Puppet::Property) ? attribute.instance_variable_get(:@should) : attribute.value)
  end
  return '-' if one != other || one.nil?

  one = one[0] if klass <= Puppet::Property && one.size == 1
  show(one)
end

def boolean(klass)
  return 'class' if klass <= Puppet::Parameter::Boolean || klass <= Puppet::Property::Boolean

  collection = klass.value_collection
  collection.values.map(&:to_s).sort == %w[false true] && collection.regexes.empty? ? 'values' : 'no'
end

def values(klass)
  collection = klass.value_collection
  all = collection.values.map do |name|
    [name, *collection.value(name).aliases].join('=')
  end
  all.empty? ? '-' : all.join(',')
end

# plain? tells whether a property compares its munged values by the rule of Puppet::Property.
def plain?(klass)
  %i[insync? property_matches? should].all? { |m| klass.instance_method(m).owner == Puppet::Property }
end

def ask_attribute(type, owner, kind, name, klass)
  match = kind == 'property' ? klass.array_matching : '-'
  regexes = klass.value_collection.regexes
  compares = kind == 'property' ? "compares=#{plain?(klass) ? 'plainly' : 'itself'}" : '-'
  row('attr', owner, name, kind, match, compares, "namevar=#{yes(kind != 'meta' && type.key_attributes.include?(name))}",
      "boolean=#{boolean(klass)}", "default=#{kind == 'meta' || name == :provider ? '-' : default(type, name, klass)}",
      "values=#{name == :provider ? '-' : values(klass)}", "regexes=#{regexes.empty? ? '-' : regexes.join(' ')}")
end

def attributes(type)
  type.properties.map { |p| [p.name, p] } + type.parameters.map { |name| [name, type.paramclass(name)] }
end

require_relative 'samples'

def munged(type, name, input)
  resource = instance(type, 0, WITH.fetch("#{type.name}.#{name}", {}))
  resource[name] = input
  attribute = resource.parameter(name)
  attribute.is_a?(Puppet::Property) ? attribute.should : attribute.value
end

def munge(type, name, input)
  # Some of Puppet's munge blocks change their input.
  show(munged(type, name, Marshal.load(Marshal.dump(input))))
rescue StandardError
  '!error'
end

# inputs returns the sample inputs of an attribute.
def inputs(type, name, klass)
  collection = klass.value_collection
  all = collection.values.flat_map { |v| [v, *collection.value(v).aliases] }
  allowed = all.flat_map { |v| [v.to_s, v] }
  allowed += [true, false] if all.include?(:true) && all.include?(:false)
  (SAMPLES.fetch("#{type.name}.#{name}", []) + allowed).uniq { |v| [v.class, v] }
end

# What most of the GENERAL values come to is one row, if it is an error or the value itself.
def shorten(general)
  refused = general.select { |_, output| output == '!error' }
  same = general.select { |input, output| input == output }
  word, common = refused.size > same.size ? ['!error', refused] : ['same', same]
  common.size < 3 ? general : [['*', word]] + (general - common)
end

# Attributes of a type with the same rows share them.
def ask_munge(type, owner, attributes)
  answers = attributes.to_h do |name, klass|
    own = inputs(type, name, klass)
    ask = ->(values) { values.map { |input| [show(input), munge(type, name, input)] } }
    rows = ask[own] + shorten(ask[GENERAL - own])
    [name, rows.all? { |input, output| input == output || output == 'same' } ? [%w[* same]] : rows]
  end
  answers.group_by { |_, rows| rows }.each do |rows, names|
    rows.each { |input, output| row('munge', owner, names.map { |n, _| n }.sort.join(','), input, output) }
  end
end

# The providers of these types read text, from files or from commands.
READ_AS_TEXT = %i[cron host mailalias mount ssh_authorized_key sshkey yumrepo zfs zone zpool].freeze

# on_node is what the node has once a resource with this property was applied to it.
def on_node(property)
  should = property.instance_variable_get(:@should)
  case "#{property.resource.type}.#{property.name}"
  when 'file.ensure' then return property.should == :present ? :file : property.should
  when 'file.owner' then return property.provider.name2uid(should[0])
  when 'file.group' then return property.provider.name2gid(should[0])
  when 'file.mode' then return property.desired_mode_from_current(should[0], '0').to_s(8)
  when 'user.gid' then return Puppet::Util.gid(should[0])
  when 'package.ensure' then return { present: '1.0', latest: '2.0' }.fetch(property.should, property.should)
  when 'mount.ensure' then return property.should == :defined ? :unmounted : property.should
  when 'k5login.mode' then return property.should =~ /\A[0-7]+\z/ ? property.should.to_i(8).to_s(8) : property.should
  end
  return property.should.to_s if property.should.is_a?(Integer) && READ_AS_TEXT.include?(property.resource.type)

  case property
  when Puppet::Property::List then should == [:absent] ? :absent : should
  when Puppet::Property::KeyValue then property.hashify_should
  else property.should
  end
end

def applied(type, name, is, with)
  before = instance(type, 0, with)
  before[name] = Marshal.load(Marshal.dump(is))
  on_node(before.parameter(name))
end

def insync(type, name, is, should, with)
  state = applied(type, name, is, with)
  after = instance(type, 0, with)
  after.provider.set(name => state) if after.respond_to?(:provider) && after.provider
  after[name] = Marshal.load(Marshal.dump(should))
  after.parameter(name).safe_insync?(state) ? 'true' : 'false'
rescue StandardError => e
  warn "#{type.name}.#{name} #{show(is)} #{show(should)}: #{e.class} #{e.message}" if ENV['ASK_DEBUG']
  '!error'
end

# spellings returns pairs of the values that a property allows, and of their aliases.
def spellings(klass)
  collection = klass.value_collection
  names = collection.values.map(&:to_s)
  return [] if names.size < 2

  names = names.first(names.size > 6 ? 3 : 6)
  pairs = names.product(names)
  collection.values.each do |value|
    collection.value(value).aliases.each { |other| pairs << [other.to_s, value.to_s] << [value.to_s, other.to_s] }
  end
  pairs
end

def ask_insync(type)
  pairs = PAIRS.fetch(type.name, []).map { |name, is, should, with| [name, is, should, with || {}] }
  type.properties.each do |klass|
    spellings(klass).each { |is, should| pairs << [klass.name, is, should, {}] }
  end
  pairs.uniq.each { |name, is, should, with| row_insync(type, name, is, should, with) }
end

def row_insync(type, name, is, should, with)
  with_text = with.empty? ? '-' : with.map { |k, v| "#{k}=#{v}" }.join(',')
  row('insync', type.name, name, with_text, show(is), show(should), insync(type, name, is, should, with))
end

# ask_plain prints what properties that compare plainly say, by whether all elements have
# to match. The first value is the one that the provider reads.
def ask_plain
  type = plain_type
  %i[first all].product(GENERAL_PAIRS).each do |name, (is, should)|
    resource = type.new(name: 'x', name => should)
    row('insync', '*', name, '-', show(is), show(should), resource.parameter(name).safe_insync?(is))
  end
end

# ask_relations prints what a resource refers to by itself, in a catalog with others.
def ask_relations(name, attributes, others)
  return unless TYPES[name]

  others = others.select { |other, _| TYPES[other] }
  catalog = Puppet::Resource::Catalog.new('x')
  resource = instance(Puppet::Type.type(name), 0, attributes)
  catalog.add_resource(resource, *others.map { |other, with| instance(Puppet::Type.type(other), 0, with) })
  RELATIONS.each do |relation, each|
    resource.class.send(each) do |target, block|
      found = [resource.instance_eval(&block)].flatten.compact.map(&:to_s)
      row('related', name, relation, target, show(attributes.transform_keys(&:to_s)), list(others.map { |o, with| "#{o}[#{with[:title]}]" }), show(found))
    end
  end
end

# ask_table prints the rows that are known from Puppet's source only, and checks them
# against what Puppet tells.
def ask_table(types)
  table = File.readlines(File.join(__dir__, 'source.txt'), chomp: true).reject { |l| l.empty? || l.start_with?('#') }
  told = table.map { |line| line.split("\t") }
  told.each { |columns| row(*columns) if types[columns[1].to_sym] }
  known = ->(kind) { told.select { |k, t, *| k == kind && types[t.to_sym] } }
  types.each_key do |name|
    type = Puppet::Type.type(name)
    refuse = ->(text) { abort("source.txt: #{name}: #{text}") }
    refuse['no row trace'] unless known['trace'].one? { |_, t| t == name.to_s }
    refuse['the row refresh disagrees'] unless known['refresh'].any? { |_, t| t == name.to_s } == type.method_defined?(:refresh)
    RELATIONS.each do |relation, each|
      targets = known["auto#{relation}"].select { |_, t| t == name.to_s }.map { |c| c[2] }
      refuse["the rows auto#{relation} disagree"] unless targets.sort == relations(type, each).map(&:to_s).sort
    end
  end
end

ROWS = []
TYPES = sources
TYPES.each do |name, from|
  type = Puppet::Type.type(name) || abort("no type #{name}")
  stub(type)
  type.instance_variable_set(:@system_users_max_uid, 999) if name == :resources
  ask_type(type, from)
  ask_titles(type)
  all = attributes(type)
  all.each { |attribute, klass| ask_attribute(type, name, klass <= Puppet::Property ? 'property' : 'param', attribute, klass) }
  ask_munge(type, name, all.reject { |attribute, _| attribute == :provider })
  ask_insync(type)
end
notify = Puppet::Type.type(:notify)
meta = Puppet::Type.metaparams.map { |name| [name, Puppet::Type.metaparamclass(name)] }
meta.each { |name, klass| ask_attribute(notify, '*', 'meta', name, klass) }
# An alias needs a catalog.
ask_munge(notify, '*', meta.reject { |name, _| name == :alias })
ask_plain
RELATED.each { |name, attributes, others| ask_relations(name, attributes, others || []) }
GENERAL.each { |value| row('general', show(value)) }
ask_table(TYPES)
puts "# Puppet #{Puppet.version[/\A\d+\.\d+/]}"
puts ROWS.uniq.sort

# effects.rb - compiles pairs of manifests, applies both catalogs, and prints what Puppet did, one line of
# JSON for each pair.
#   ruby effects.rb SCRATCH CASES MODULES [NAME...]
# SCRATCH is an empty folder, CASES the file of the cases, and MODULES the folder with the modules concat,
# stdlib, cron_core, host_core, mailalias_core, mount_core, ntp and sshkeys_core. The names select cases. By
# default, all of them run.
#
# CASES contains the cases, each in this format:
#   == NAME | FAMILY | WHY
#   --- setup       shell commands that run in the folder of the case before anything else
#   --- both        the start of both manifests
#   --- old         the old manifest
#   --- new         the new manifest
#   --- between     shell commands that run in the folder of the case before the new catalog is applied
# Sections that are empty are left out. $d is the folder of the case. A line `@service s, ATTRIBUTES` is a
# service of the provider base, whose process is the file $d/run.s. A line `@exec x, ATTRIBUTES` is an exec
# that writes a line.
#
# The catalogs are compiled for the folder /srv/run/NAME. Before they are applied, that path is replaced by a
# folder in SCRATCH, and the path is restored in the answers. Each case runs in its own process and folder.
# Puppet applies old, old again, new with noop, new, and new again. If applying a catalog again does something,
# it is applied once more, so that the state is the one of a node in operation.
#
# The members of a line:
#   name, family, why      as in CASES
#   setup, between         as in CASES, if the case has them
#   old, new               the catalogs in rich JSON, without Class[Settings], identifiers, files and lines
#   changed                the properties that Puppet changed when it applied new, by resource:
#                          "PROPERTY:EVENT" in the order of the events, without refreshes
#   noop                   the same for new with noop, if that differs from changed. It is missing if a resource has
#                          noop => false, which wins over the option.
#   refreshed              the resources that did something because of a refresh, in that order: a service
#                          that was restarted, an exec that ran its command, a mount that was remounted. A
#                          refresh that did nothing is not listed.
#   executed               the execs whose commands ran when new was applied, once for each run and in that
#                          order. Commands of onlyif and unless are not listed.
#   failed                 the resources that failed when new was applied, if any
#   skipped                the resources that Puppet skipped when it applied new, because of their schedule or
#                          a failed dependency, if any
#   always                 the resources that changed, ran or were refreshed when old was applied again
#   alwaysNew              the same for new, if it differs
# A resource is Type[title] as in new. If new does not declare it, it is Type[title] as in old, and File[path]
# if neither declares it, as for purged files and the files of Concat_file.
#
# How the members are obtained: changed, noop and skipped are the events and states of Puppet's own report.
# refreshed and executed are recorded by methods that wrap Exec#refresh, Service#refresh and the providers'
# methods restart, remount and run. Commands that write to logs check them: the lines that restart commands
# wrote are compared with refreshed, and the lines of execs with executed.
#
# Nothing outside of SCRATCH changes. Files outside of SCRATCH and unknown types are refused. Providers that parse
# a file (Cron, Host, Mailalias, Mount, Sshkey) use a file in SCRATCH instead of the node's, with Puppet's own
# parser. Mounting does not run a command. Package, User, Group, and services of other providers than base have a
# provider that keeps in memory what Puppet asked for. The newest version of a package is always 2.0. A service of
# which nothing is known is stopped and disabled. These providers have all features of their types; on a node,
# a property that the provider cannot manage is ignored (for example, members of a Group without libuser).
require 'fileutils'
require 'json'
require 'puppet'
require 'puppet/transaction/report'
require 'puppet/util/filetype'

SCRATCH, CASES, MODULES = ARGV.first(3).map { |path| File.expand_path(path) }
NAMES = ARGV.drop(3)
FIXED = '/srv/run'
Case = Struct.new(:name, :family, :why, :sections)

# expand replaces the abbreviations @service and @exec of a manifest.
def expand(code)
  code.gsub(/@(service|exec) (\w+)(?:, *(.*))?$/) do
    type, name, given = $1, $2, $3
    defaults =
      if type == 'service'
        { 'ensure' => 'running', 'provider' => 'base', 'hasstatus' => 'true', 'hasrestart' => 'true',
          'start' => %("/usr/bin/touch ${d}/run.#{name}"), 'stop' => %("/bin/rm -f ${d}/run.#{name}"),
          'status' => %("/usr/bin/test -e ${d}/run.#{name}"),
          'restart' => %("/bin/sh -c 'echo #{name} >> ${d}/restarts'") }
      else
        { 'command' => %("/bin/sh -c 'echo #{name} >> ${d}/execs'") }
      end
    defaults.reject! { |key, _| given =~ /\b#{key} *=>/ }
    "#{type} { '#{name}': #{[*defaults.map { |key, value| "#{key} => #{value}" }, given].compact.join(', ')} }"
  end
end

# parse returns the cases of a file.
def parse(text)
  text.split(/^== /).drop(1).map do |part|
    head, _, body = part.partition("\n")
    name, family, why = head.split(' | ', 3)
    raise "no name, family or reason: #{head}" unless why
    sections = body.split(/^--- (\w+)\n/, -1).drop(1).each_slice(2).to_h
    unknown = sections.keys - %w[setup both old new between]
    raise "#{name}: unknown sections #{unknown}" unless unknown.empty?
    Case.new(name, family, why.strip, sections)
  end
end

# Trace records which commands ran.
module Trace
  class << self
    attr_accessor :refreshing, :refreshed, :executed

    def reset
      @refreshing, @refreshed, @executed = nil, [], []
    end

    # during runs a block while a resource is refreshed.
    def during(resource)
      before, @refreshing = @refreshing, resource
      yield
    ensure
      @refreshing = before
    end

    # did notes that the refresh of a resource did something.
    def did
      @refreshed << @refreshing.ref if @refreshing
    end
  end

  # Refresh marks the time of a refresh.
  module Refresh
    def refresh
      Trace.during(self) { super }
    end
  end

  # Restart notes a restart of a service.
  module Restart
    def restart
      Trace.did
      super
    end
  end

  # Run notes the commands of an exec, without those of onlyif and unless.
  module Run
    def run(command, check = false)
      unless check
        Trace.executed << resource.ref
        Trace.did
      end
      super
    end
  end
end

# Flat keeps files of the node in the scratch folder.
module Flat
  def initialize(path, *rest)
    unless path.empty? || path.start_with?(Dir.pwd + '/') # no file: keys without a user
      path = File.join(Dir.pwd, 'node', path)
      FileUtils.mkdir_p(File.dirname(path))
    end
    super(path, *rest)
  end
end

# Mounts mounts without a command.
module Mounts
  ALL = {}

  # Parsed lists the mounts.
  module Parsed
    def mountinstances
      ALL.keys.map { |name| { name: name, mounted: :yes } }
    end
  end

  def mountcmd(*args)
    Trace.did if args.include?('remount')
    ALL[args.last] = true
  end

  def umount(name)
    ALL.delete(name)
  end
end

# Memory is the state of the resources of the types that are only in memory, by type and name.
Memory = Hash.new { |all, type| all[type] = {} }

# remember gives a type a provider that keeps the state in memory.
def remember(type)
  properties = type.validproperties - [:ensure]
  type.provide(:memory) do
    has_features(*type.features)
    define_singleton_method(:manages_homedir?) { true }

    define_method(:all) { Memory[type.name] }
    define_method(:state) { all[resource.name] || {} }
    define_method(:exists?) { all.key?(resource.name) }
    define_method(:create) do
      all[resource.name] = {}
      properties.each do |name|
        value = resource.should(name)
        value = Puppet::Util.gid(value) if name == :gid && value.is_a?(String)
        all[resource.name][name] = value unless value.nil?
      end
    end
    define_method(:delete) { all.delete(resource.name) }
    alias_method :destroy, :delete
    properties.each do |name|
      define_method(name) { state.fetch(name, :absent) }
      define_method(:"#{name}=") { |value| all[resource.name][name] = value }
    end
  end
end

# Groups decides about the members of a group as groupadd does.
module Groups
  def members_insync?(current, should)
    current = [] if current == :absent
    current.uniq.sort == resource.parameter(:members).actual_should(current, should)
  end

  def members
    exists? ? Array(state[:members]) : :absent
  end

  def members=(value)
    all[resource.name][:members] = resource[:auth_membership] ? value : (members | value)
  end
end

# Numbers finds the numbers of groups that are only in memory. A group without a number of its own gets the
# next one, as from groupadd.
module Numbers
  def gid(group)
    names = Memory[:group].keys
    return super unless names.include?(group)
    Memory[:group][group][:gid] ||= 1000 + names.index(group)
  end
end

# Packages installs versions of packages.
module Packages
  def properties
    exists? ? { ensure: state[:version], mark: state[:mark] || :none } : { ensure: :purged, mark: :none }
  end

  def query
    properties if exists?
  end

  def latest
    '2.0'
  end

  def install
    wanted = resource.should(:ensure)
    (all[resource.name] ||= {})[:version] = wanted.is_a?(String) ? wanted : latest
  end

  def update
    (all[resource.name] ||= {})[:version] = latest
  end

  def reinstall
    Trace.did
  end

  def uninstall
    all.delete(resource.name)
  end

  def purge
    all.delete(resource.name)
  end

  def hold
    all[resource.name][:mark] = :hold
  end

  def unhold
    all[resource.name][:mark] = :none
  end
end

# Services runs services of other providers than base.
module Services
  def status
    state[:status] || :stopped
  end

  def start
    keep(:status, :running)
  end

  def stop
    keep(:status, :stopped)
  end

  def enabled?
    state[:enable] || :false
  end

  def enable
    keep(:enable, :true)
  end

  def disable
    keep(:enable, :false)
  end

  def mask
    keep(:enable, :mask)
  end

  def restart
    keep(:status, :running)
  end

  private

  def keep(name, value)
    (all[resource.name] ||= {})[name] = value
  end
end

# type returns a type, or nil if it is not installed.
def type(name)
  Puppet::Type.type(name)
end

# TYPES are the types of the cases. They are loaded once, before the cases run in their processes.
TYPES = %i[anchor concat_file concat_fragment cron exec file file_line filebucket group host mailalias mount notify
           package schedule service ssh_authorized_key sshkey stage tidy user whit].freeze

# prepare loads the types and wraps them and their providers.
def prepare
  TYPES.each { |name| type(name)&.defaultprovider }
  [:exec, :service, :mount, :package].each { |name| type(name)&.prepend(Trace::Refresh) }
  [:posix, :shell].each { |name| type(:exec).provider(name).prepend(Trace::Run) }
  Puppet::Util::FileType.filetype(:flat).prepend(Flat)
  if type(:cron)
    crontab = type(:cron).provider(:crontab)
    crontab.define_singleton_method(:filetype) { Puppet::Util::FileType.filetype(:flat) }
    crontab.define_singleton_method(:suitable?) { |*| true }
  end
  if type(:mount)
    type(:mount).provider(:parsed).prepend(Mounts)
    type(:mount).provider(:parsed).singleton_class.prepend(Mounts::Parsed)
  end
  [:user, :group, :package, :service].each { |name| remember(type(name)) }
  Puppet::Util.singleton_class.prepend(Numbers)
  type(:group).provider(:memory).prepend(Groups)
  type(:package).provider(:memory).prepend(Packages)
  type(:service).provider(:memory).prepend(Services)
  [:base, :memory].each { |name| type(:service).provider(name).prepend(Trace::Restart) }
end

IN_MEMORY = %w[User Group Package].freeze
PARSED = %w[Cron Host Mailalias Mount Sshkey].freeze
HARMLESS = %w[Class Stage Exec Notify Schedule Filebucket Concat_file Concat_fragment Anchor Whit].freeze

# confine refuses a catalog that could change the node.
def confine(catalog, folder)
  catalog.resources.each do |r|
    inside = ->(path) { path.is_a?(String) && path.start_with?("#{folder}/") }
    allowed =
      case r.type
      when *IN_MEMORY then r[:provider] == 'memory'
      when *HARMLESS, *PARSED then true
      when 'File' then inside.call(r[:path] || r.title)
      when 'Resources' then r.title == 'host' # which are in a file of the scratch folder
      when 'File_line' then inside.call(r[:path])
      when 'Tidy' then inside.call(r[:path] || r.title)
      when 'Service' then %w[base memory].include?(r[:provider])
      when 'Ssh_authorized_key' then inside.call(r[:target])
      else type(r.type).nil? # a define
      end
    raise "#{r.ref} could change the node" unless allowed
  end
end

# trim removes from a catalog in rich JSON what is not needed to apply it.
def trim(text)
  catalog = JSON.parse(text)
  %w[tags version code_id catalog_uuid catalog_format classes].each { |key| catalog.delete(key) }
  catalog['resources'].reject! { |r| r['type'] == 'Class' && r['title'] == 'Settings' }
  catalog['edges'].reject! { |e| e.value?('Class[Settings]') }
  catalog['resources'].each { |r| %w[file line].each { |key| r.delete(key) } }
  catalog
end

# References spells the references of a pair of catalogs.
class References
  def initialize(old, new)
    @known, @paths = {}, {}
    [new, old].each do |catalog|
      titles = @known.keys
      catalog['resources'].each do |r|
        ref = "#{r['type']}[#{r['title']}]"
        next if titles.include?(ref.downcase) # the other catalog declares it
        @known[ref.downcase] = ref
        next unless r['type'] == 'File'
        path = r.fetch('parameters', {})['path'] || r['title']
        @paths[path.gsub(%r{/+}, '/').sub(%r{(.)/\z}, '\1')] ||= ref
      end
    end
  end

  # add adds the reference that Puppet gives to a resource, which can have another title than in the catalog.
  def add(ref, declared)
    @known[ref.downcase] ||= spell(declared)
  end

  def spell(ref)
    file = ref[/\AFile\[(.*)\]\z/m, 1]
    @known[ref.downcase] || (file && @paths[file]) || ref
  end
end

# Runner applies the catalogs of one case.
class Runner
  def initialize(kase)
    @case = kase
    @fixed = File.join(FIXED, kase.name)
    @folder = File.join(SCRATCH, 'run', kase.name)
    FileUtils.mkdir_p(@folder)
    Dir.chdir(@folder)
    home = File.join(SCRATCH, 'home', kase.name)
    %w[conf var log run public].each { |d| Puppet[:"#{d}dir"] = File.join(home, d) }
    FileUtils.mkdir_p([Puppet[:statedir], Puppet[:clientbucketdir]])
    code = File.join(home, 'production')
    FileUtils.mkdir_p(File.join(code, 'manifests'))
    @manifest = File.join(code, 'manifests', 'site.pp')
    @code = code
    @rich = Puppet::Network::FormatHandler.format(:rich_data_json)
  end

  def in_environment
    env = Puppet::Node::Environment.create(:production, [MODULES], File.join(@code, 'manifests'))
    known = Puppet::Environments::StaticDirectory.new('production', @code, env)
    Puppet.override(current_environment: env, environments: known, loaders: Puppet::Pops::Loaders.new(env)) do
      yield env
    end
  end

  def compile(section)
    File.write(@manifest, "$d = '#{@fixed}'\n#{expand(@case.sections['both'].to_s)}\n#{expand(@case.sections[section].to_s)}")
    facts = { 'networking' => { 'fqdn' => 'web01.example.com' }, 'os' => { 'family' => 'Debian' },
              'puppetversion' => Puppet.version, 'clientversion' => Puppet.version }
    in_environment do |env|
      node = Puppet::Node.new('web01.example.com', environment: env, facts: Puppet::Node::Facts.new('web01.example.com', facts))
      node.merge(facts)
      @rich.render(Puppet::Parser::Compiler.compile(node).filter(&:virtual?))
    end
  end

  # apply applies a catalog in a process of its own and returns what happened.
  def apply(document, noop: false)
    reader, writer = IO.pipe(binmode: true)
    child = fork do
      reader.close
      writer.write(Marshal.dump([apply_here(document, noop), Memory.to_a, Mounts::ALL]))
      writer.close
      exit!(0)
    rescue StandardError => e
      writer.write(Marshal.dump(e))
      writer.close
      exit!(1)
    end
    writer.close
    result, memory, mounts = Marshal.load(reader.read)
    Process.wait(child)
    raise result if result.is_a?(Exception)
    Memory.update(memory.to_h)
    Mounts::ALL.replace(mounts)
    result
  end

  def apply_here(document, noop)
    Trace.reset
    in_environment do |env|
      catalog = @rich.intern(Puppet::Resource::Catalog, JSON.generate(remembered(document)).gsub(@fixed, @folder))
      confine(catalog, @folder)
      Puppet::Pops::Evaluator::DeferredResolver.resolve_and_replace(Puppet::Node::Facts.new('web01.example.com', {}), catalog, env, true)
      ral = catalog.to_ral
      ral.resources.zip(catalog.resources) { |r, declared| @references.add(fix(r.ref), fix(declared.ref)) }
      ral.finalize
      ral.host_config = true
      Puppet[:noop] = noop
      report = Puppet::Transaction::Report.new
      ral.apply(report: report)
      return describe(report)
    end
  end

  # remembered gives the resources of the types in memory their provider.
  def remembered(document)
    resources = document['resources'].map do |r|
      next r unless IN_MEMORY.include?(r['type']) || r['type'] == 'Service' && r.dig('parameters', 'provider') != 'base'
      r.merge('parameters' => r.fetch('parameters', {}).merge('provider' => 'memory'))
    end
    document.merge('resources' => resources)
  end

  # describe returns what happened in a run.
  def describe(report)
    all = report.resource_statuses.values
    list = ->(statuses) { spell(statuses.map(&:resource)).uniq }
    resources = ->(statuses) { list.call(statuses).reject { |ref| container?(ref) } }
    { changed: changed(all, 'success'), noop: changed(all, 'noop'), logs: report.logs.map(&:to_s),
      failed: list.call(all.select { |s| s.failed? || s.failed_to_restart? }), skipped: resources.call(all.select(&:skipped?)),
      refreshed: spell(Trace.refreshed), executed: spell(Trace.executed) }
  end

  def container?(ref)
    name = ref[/\A[^\[]+/]
    %w[Stage Class].include?(name) || type(name).nil?
  end

  # changed returns the properties with events of a status, by resource.
  def changed(statuses, status)
    statuses.each_with_object({}) do |s, all|
      events = s.events.select { |e| e.status == status && e.property }.map { |e| "#{e.property}:#{e.name}" }
      all[spell([s.resource]).first] = events unless events.empty?
    end
  end

  # fix spells the folder of a text as in the answers.
  def fix(text)
    text.gsub(@folder, @fixed)
  end

  def spell(refs)
    refs.map { |ref| @references.spell(fix(ref)) }
  end

  # active returns the resources that did something in a run.
  def active(run)
    (run[:changed].keys + run[:refreshed] + run[:executed]).uniq.sort
  end

  def shell(section)
    text = @case.sections[section]
    text.nil? || system('/bin/sh', '-ec', text) || raise("#{section} failed")
  end

  def lines(file)
    File.exist?(file) ? File.readlines(file, chomp: true) : []
  end

  def run
    shell('setup')
    old, new = trim(compile('old')), trim(compile('new'))
    @references = References.new(old, new)
    first = apply(old)
    raise "old fails: #{first[:logs]}" if first[:failed].any?
    idle = settle(old)
    shell('between')
    planned = keeping_state { apply(new, noop: true) } unless forced?(new)
    execs, restarts = lines('execs'), lines('restarts')
    real = apply(new)
    check(real, lines('execs').drop(execs.size), lines('restarts').drop(restarts.size))
    again = settle(new)
    answer(old, new, idle, planned, real, again)
  end

  # keeping_state restores Puppet's state after a run with noop, which notes when it checked what.
  def keeping_state
    copy = "#{Puppet[:statedir]}.copy"
    FileUtils.cp_r(Puppet[:statedir], copy)
    yield
  ensure
    FileUtils.rm_rf(Puppet[:statedir])
    FileUtils.mv(copy, Puppet[:statedir])
  end

  # forced reports whether resources of a catalog would change in a run with noop: they say that they ignore it.
  def forced?(document)
    document['resources'].any? { |r| [false, 'false'].include?(r.fetch('parameters', {})['noop']) }
  end

  # settle applies a catalog again, and once more if that did something, because the first time can leave
  # something to do.
  def settle(document)
    run = apply(document)
    active(run).empty? ? run : apply(document)
  end

  # check compares the logs of the commands with what was traced.
  def check(run, execs, restarts)
    logged = ->(refs, type) { refs.filter_map { |ref| ref[/\A#{type}\[(.*)\]\z/, 1] } }
    traced = logged.call(run[:executed], 'Exec')
    raise "execs wrote #{execs}, traced #{traced}" unless (execs - traced).empty?
    traced = logged.call(run[:refreshed], 'Service')
    raise "services wrote #{restarts}, traced #{traced}" unless (restarts - traced).empty?
  end

  def answer(old, new, idle, planned, real, again)
    result = { name: @case.name, family: @case.family, why: @case.why }
    %w[setup between].each { |s| result[s] = @case.sections[s].strip if @case.sections[s] }
    result.update(old: old, new: new, changed: real[:changed])
    result[:noop] = planned[:noop] if planned && planned[:noop] != real[:changed]
    result.update(refreshed: real[:refreshed], executed: real[:executed])
    %i[failed skipped].each { |key| result[key] = real[key] if real[key].any? }
    result[:always] = active(idle)
    result[:alwaysNew] = active(again) if active(again) != active(idle)
    result
  end
end

$stdout.sync = true
File.umask(0o022)
cases = parse(File.read(CASES))
twice = cases.map(&:name).tally.select { |_, n| n > 1 }.keys
raise "names that are used twice: #{twice}" if twice.any?
cases.select! { |c| NAMES.include?(c.name) } if NAMES.any?
Dir.mkdir(File.join(SCRATCH, 'answers'))

Puppet.initialize_settings(%w[conf var log run public].flat_map { |d| ["--#{d}dir", File.join(SCRATCH, 'home', d)] } +
                           ['--certname', 'web01.example.com'])
Puppet::Util::Log.level = :err
Puppet.override(current_environment: Puppet::Node::Environment.create(:production, [MODULES])) { prepare }

answer_of = ->(kase) { File.join(SCRATCH, 'answers', kase.name) }
work = lambda do |kase|
  fork do
    result =
      begin
        Runner.new(kase).run
      rescue StandardError, ScriptError => e
        { name: kase.name, error: "#{e.class}: #{e.message}", at: e.backtrace.first(4) }
      end
    File.write(answer_of.call(kase), JSON.generate(result))
    exit!(0)
  end
end
queue = cases.dup
running = 0
until queue.empty? && running.zero?
  while running < 2 && (kase = queue.shift)
    work.call(kase)
    running += 1
  end
  Process.wait
  running -= 1
end
cases.each { |kase| puts File.read(answer_of.call(kase)) }

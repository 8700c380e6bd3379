#!/usr/bin/env ruby
# frozen_string_literal: false
#
# oracle.rb - answers "what does real Puppet do?" for a stream of cases.
#
#   ruby oracle.rb < cases.jsonl > answered.jsonl
#   ruby -I path/to/other/puppet/lib -rset oracle.rb < cases.jsonl      (another Puppet version)
#
# Each input line is a JSON object with an "op" and the inputs of that op; the
# output line is the same object with "expect" (and for some ops more) added.
# PCORE_ORACLE_MODULEPATH=DIR:DIR has the modules whose functions the cases call.
# PCORE_ORACLE_DEFINITIONS=FILE has definitions that follow env/std.pp.
# PCORE_ORACLE_TIMEOUT=SECONDS ends an evaluation that takes longer (20).
# PCORE_ORACLE_LAX=1 runs the language with strict=warning, strict_variables=false.
require 'json'
require 'set'
require 'tmpdir'
require 'fileutils'
require 'stringio'
require 'timeout'
require 'puppet'
require 'puppet_pal'
require 'msgpack'

module Puppet; module Test; class LogCollector
  def initialize(a) @a = a end
  def <<(m) @a << m; self end
end end end

# PAL's script compiler turns "tasks" on, which takes the resource types away and
# changes the grammar. An agent (and a server) runs with tasks off: so do we.
class << Puppet::Pal
  alias_method :oracle_create_internal_compiler, :create_internal_compiler
  def create_internal_compiler(*args)
    Puppet[:tasks] = false
    oracle_create_internal_compiler(*args)
  end
  private :create_internal_compiler
end

class Oracle
  S = Puppet::Pops::Serialization
  T = Puppet::Pops::Types
  LAX = ENV['PCORE_ORACLE_LAX'] == '1'

  def initialize
    @state = Dir.mktmpdir('o')
    at_exit { FileUtils.rm_rf(@state) }
    Puppet.initialize_settings(%w[conf var log run].zip(%w[--confdir --vardir --logdir --rundir]).flat_map { |d, o| [o, File.join(@state, d)] } +
                               ['--certname', 'node.example.com'])
    # settings resolved for a fixed node name, so nothing of this machine shows
    Puppet[:node_name_value] = 'node.example.com' rescue nil
    @logs = []
    Puppet::Util::Log.level = :debug
    Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(@logs))
    @std = File.read(File.join(__dir__, '..', 'vectors', 'env', 'std.pp'))
    @std += File.read(ENV['PCORE_ORACLE_DEFINITIONS']) if ENV['PCORE_ORACLE_DEFINITIONS']
  end

  # --- contexts -----------------------------------------------------------
  def with_env
    Puppet::Pal.in_tmp_environment('production', modulepath: ENV['PCORE_ORACLE_MODULEPATH'].to_s.split(':'), facts: {}) do |pal|
      pal.with_script_compiler(set_local_facts: false) do |c|
        if LAX
          Puppet[:strict] = :warning
          Puppet[:strict_variables] = false
        end
        yield c
      end
    end
  end

  def with_std
    with_env { |c| c.evaluate_string(@std); yield c }
  end

  # --- conversions --------------------------------------------------------
  def rich(v, opts = {})
    S::ToDataConverter.convert(v, { rich_data: true, local_reference: false, type_by_reference: true, symbol_as_string: false }.merge(opts))
  end

  def jsonable(x)
    case x
    when Float
      raise "a float that JSON cannot hold: #{x}" if x.nan? || x.infinite?
      x
    when Array then x.map { |e| jsonable(e) }
    when Hash then x.each_with_object({}) { |(k, v), h| h[jsonable(k)] = jsonable(v) }
    when String
      if x.encoding == Encoding::BINARY
        y = x.dup.force_encoding('UTF-8')
        raise 'a string that is not UTF-8' unless y.valid_encoding?
        y
      else
        raise 'a string that is not UTF-8' unless x.valid_encoding?
        x.encode('UTF-8')
      end
    else x
    end
  end

  def pstr(v)
    s = T::StringConverter.singleton.convert(v, '%p')
    s = scrub(s)
    s =~ /#<[A-Z]|:0xADDR/ ? nil : s
  rescue StandardError, SystemStackError => e
    nil
  end

  def scrub(s)
    s = s.to_s.dup
    s.force_encoding('UTF-8') if s.encoding == Encoding::BINARY
    s = s.scrub('?')
    s = s.gsub(@state, '/state').gsub(__dir__, '')
    s = s.gsub(/#<Sensitive \[value redacted\]:\d+>/, '#<Sensitive [value redacted]:OBJECT_ID>')
    s = s.gsub(/:0x[0-9a-f]{16}/, ':0xADDR')
    s = s.gsub(%r{/(usr|tmp|var|home|root|opt)/[\w./+-]*}, '/PATH') if s.include?('/ruby/')
    s
  end

  def err(e)
    msg = scrub(e.message.to_s)
    if e.is_a?(NameError) || msg =~ /undefined (local variable or )?method/
      msg = msg.sub(/ for #<.*/m, ' for an object').lines.first.to_s.chomp
      msg = msg.sub(/ for an object.*/, ' for an object')
    end
    msg = msg[0, 600] + '...' if msg.size > 600
    h = { 'error' => msg }
    if e.respond_to?(:issue_code) && e.issue_code
      h['issue'] = e.issue_code.to_s
    end
    h['class'] = e.class.name
    h
  end

  def guard
    # Puppet keeps the TypeSet whose text it made last, and prints aliases by their names from then on.
    T::TypeFormatter.singleton.instance_variable_set(:@type_set, nil)
    h = nil
    begin
      Timeout.timeout(Float(ENV['PCORE_ORACLE_TIMEOUT'] || 20)) { h = yield }
    rescue Timeout::Error => e
      h = { 'error' => 'timeout', 'class' => 'Timeout' }
    rescue SystemStackError => e
      h = { 'error' => 'stack level too deep', 'class' => 'SystemStackError' }
    rescue UncaughtThrowError, StandardError, NotImplementedError, LoadError, NoMemoryError => e
      h = err(e)
    end
    h
  end

  # the value in rich data, and in the language's own notation (%p). A value that
  # exists but that Puppet cannot serialize gives "serialize_error" in place of "value".
  def value_answer(v, string: true)
    h = begin
      { 'value' => jsonable(rich(v)) }
    rescue SystemStackError
      { 'serialize_error' => 'stack level too deep' }
    rescue StandardError => e
      { 'serialize_error' => err(e)['error'] }
    end
    if string
      s = pstr(v)
      h['string'] = jsonable(s) unless s.nil?
    end
    b = bugs(v).uniq.sort
    h['puppet_bug'] = b unless b.empty?
    h
  end

  # Known faults of Puppet that touch this value's text (see README): an
  # implementation may well want to be right instead of the same.
  def bugs(v, depth = 0, out = [])
    return out if depth > 12
    case v
    when Puppet::Pops::Time::Timespan
      f = v.nsecs.abs % 1_000_000_000
      out << 'timespan-fraction' if f > 0 && f < 100_000_000
    when SemanticPuppet::VersionRange
      out << 'semverrange-swapped' if v.begin != v.end && v.to_s.sub(/\A>=/, '').start_with?("#{v.end} ", "#{v.end}.", 'Infinity')
      out << 'semverrange-swapped' if v.to_s =~ /\AInfinity| - 0\.0\.0-\z/
    when Regexp
      out << 'regexp-non-ascii' unless v.source.ascii_only?
    when T::PAnyType
      out << 'type-parameter-lost' if v.to_s =~ /Boolean\[|Sensitive\[/
      out << 'semverrange-swapped' if v.is_a?(T::PSemVerType) && v.ranges.any? { |r| !bugs(r).empty? }
    when T::PuppetObject
      out << 'parameterized-object-name' if v._pcore_type.is_a?(T::PObjectTypeExtension)
      (v._pcore_init_hash rescue {}).each_value { |x| bugs(x, depth + 1, out) }
      out << 'parameterized-object-name' if T::TypeCalculator.infer(v).is_a?(T::PObjectTypeExtension) && !v.is_a?(Puppet::DataTypes::Error)
    when Array then v.each { |x| bugs(x, depth + 1, out) }
    when Hash then v.each { |k, x| bugs(k, depth + 1, out); bugs(x, depth + 1, out) }
    when T::PSensitiveType::Sensitive then bugs(v.unwrap, depth + 1, out)
    end
    out
  rescue StandardError, SystemStackError
    out
  end

  def take_logs
    l = @logs.select { |m| %i[notice warning err info alert crit emerg].include?(m.level) }
             .map { |m| [m.level.to_s, scrub(m.message.to_s)] }
    @logs.clear
    l
  end

  # --- ops ----------------------------------------------------------------
  STDOPS = %w[parse_type assignable instance infer common format expr rich from_rich]
  def run(cases)
    i = 0
    while i < cases.size
      c = cases[i]
      if STDOPS.include?(c['op'])
        # one shared environment, renewed every 400 cases
        with_std do |comp|
          n = 0
          while i < cases.size && STDOPS.include?(cases[i]['op']) && n < 400
            lone = cases[i]['type'].to_s.start_with?('type ') # defines a type: gets an environment of its own
            break if lone && n > 0
            n = 400 if lone
            @logs.clear
            answer(comp, cases[i])
            emit(cases[i]); i += 1; n += 1
          end
        end
      else
        answer_fresh(c)
        emit(c); i += 1
      end
    end
  end

  # Text that Puppet makes from Ruby's inspect holds addresses: such an answer is of no
  # use to compare with, and is marked.
  def emit(c)
    t = JSON.generate(c)
    if t =~ /:0x[0-9a-f]{16}|@hash=-?\d+|#<Class:0x/
      c['unstable'] = true
      t = JSON.generate(c).gsub(/:0x[0-9a-f]{16}/, ':0xADDR').gsub(/@hash=-?\d+/, '@hash=N')
    end
    puts t
  end

  def ev(comp, code)
    comp.evaluate_string(code)
  end

  def answer(comp, c)
    case c['op']
    when 'parse_type'
      c['expect'] = guard { { 'value' => T::TypeFormatter.singleton.string(T::TypeParser.singleton.parse(c['type'])) } }
      c['expect_eval'] = guard do
        t = ev(comp, c['type'])
        t.is_a?(T::PAnyType) ? { 'value' => t.to_s } : { 'not_a_type' => pstr(t) }
      end
    when 'assignable'
      pair(c) do
        a = ty(comp, c['t1']); b = ty(comp, c['t2'])
        { 'value' => comp_ge(comp, a, b), 'eq' => a == b }
      end
    when 'instance'
      c['expect'] = guard { { 'value' => ev(comp, "(#{c['expr']}) =~ #{c['type']}") } }
    when 'infer'
      c['expect'] = guard do
        v = ev(comp, c['expr'])
        { 'detailed' => T::TypeCalculator.infer_set(v).to_s,
          'reduced' => T::TypeCalculator.infer(v).to_s,
          'generalized' => T::TypeCalculator.infer(v).generalize.to_s,
          'debug' => T::TypeFormatter.singleton.debug_string(T::TypeCalculator.infer_set(v)) }
      end
    when 'common'
      pair(c) do
        a = ty(comp, c['t1']); b = ty(comp, c['t2'])
        { 'value' => T::TypeCalculator.singleton.common_type(a, b).to_s }
      end
    when 'format'
      code = c['format'] ? "String(#{c['expr']}, #{c['format']})" : "String(#{c['expr']})"
      c['expect'] = guard { { 'value' => jsonable(ev(comp, code)) } }
    when 'expr'
      c['expect'] = guard { value_answer(ev(comp, c['expr'])) }
    when 'rich'
      rich_case(comp, c)
    when 'from_rich'
      from_rich_case(comp, c)
    end
  end

  def ty(comp, s)
    @tycache ||= {}
    if @tycomp != comp
      @tycomp = comp; @tycache = {}
    end
    @tycache[s] ||= ev(comp, s)
  end

  # An Init without a constructor fails at the first question only, and answers the next one about the same object. "again"
  # asks the next one, too; without it, the types are forgotten.
  def pair(c, &ask)
    c['expect'] = guard(&ask)
    10.times { c['expect'] = guard(&ask) if c['again'] && c['expect'].key?('error') }
    @tycache.clear if c['again'] || c['expect'].key?('error')
  end

  def comp_ge(_comp, a, b)
    @cmp ||= Puppet::Pops::Evaluator::CompareOperator.new
    # the language's >= : both are types, so this is "b is assignable to a"
    @calc ||= T::TypeCalculator.singleton
    @calc.assignable?(a, b)
  end

  def rich_case(comp, c)
    v = nil
    pre = guard { v = c['ruby'] ? eval(c['ruby']) : ev(comp, c['expr']); nil }
    if pre
      c['expect'] = pre
      return
    end
    c['expect'] = guard { value_answer(v) }
    d = c['expect']['value']
    if c['expect'].key?('value')
      c['msgpack'] = guard { { 'hex' => MessagePack.pack(rich(v)).unpack1('H*') } }
      lr = guard { { 'value' => jsonable(rich(v, local_reference: true)) } }
      c['local_reference'] = lr unless lr == { 'value' => d }
      bv = guard { { 'value' => jsonable(rich(v, type_by_reference: false)) } }
      c['type_by_value'] = bv unless bv == { 'value' => d }
      back = guard do
        r = S::FromDataConverter.convert(JSON.parse(JSON.generate(d)))
        { 'value' => jsonable(rich(r)), 'equal' => (r == v ? true : false), 'string' => pstr(r) }
      end
      c['roundtrip'] = back
    end
    c['plain'] = guard { { 'value' => jsonable(rich(v, rich_data: false)) } }
    c['stringified'] = guard do
      j = JSON.generate(S::ToStringifiedConverter.convert(v))
      { 'value' => JSON.parse(scrub_sens(j)) }
    end
    c['tabulated'] = guard do
      io = StringIO.new
      w = S::JSON::Writer.new(io)
      s = S::Serializer.new(w, rich_data: true, type_by_reference: true)
      s.write(v); s.finish
      text = io.string.dup.force_encoding('UTF-8')
      back = guard { { 'value' => jsonable(rich(S::Deserializer.new(S::JSON::Reader.new(StringIO.new(text)), Puppet.lookup(:loaders).private_environment_loader).read)) } }
      { 'value' => JSON.parse(text), 'back' => back }
    end
  end

  def scrub_sens(j)
    j.gsub(/#<Sensitive \[value redacted\]:\d+>/, '#<Sensitive [value redacted]:OBJECT_ID>')
  end

  def from_rich_case(comp, c)
    c['expect'] = guard { value_answer(S::FromDataConverter.convert(JSON.parse(JSON.generate(c['doc'])))) }
    alt = guard { value_answer(S::FromDataConverter.convert(JSON.parse(JSON.generate(c['doc'])), allow_unresolved: true)) }
    c['allow_unresolved'] = alt unless alt == c['expect']
  end

  def force(x)
    case x
    when Puppet::Pops::Evaluator::DeferredValue then force(x.resolve)
    when Array then x.map { |e| force(e) }
    when Hash then x.each_with_object({}) { |(k, v), h| h[k] = force(v) }
    when T::PSensitiveType::Sensitive then T::PSensitiveType::Sensitive.new(force(x.unwrap))
    else x
    end
  end

  def deferred_case(c, preprocess)
    with_std do |_comp|
      env = Puppet.lookup(:current_environment)
      comp2 = Puppet::Parser::ScriptCompiler.new(env, 'node.example.com', true)
      Puppet.override(loaders: comp2.loaders, rich_data: true) do
        return guard do
          v = S::FromDataConverter.convert(JSON.parse(JSON.generate(c['doc'])))
          r = if Puppet::Pops::Evaluator::DeferredResolver.instance_method(:initialize).arity == 1
                Puppet::Pops::Evaluator::DeferredResolver.new(comp2)
              else
                Puppet::Pops::Evaluator::DeferredResolver.new(comp2, preprocess)
              end
          f = c['facts'] && Puppet::Node::Facts.new('node.example.com', c['facts'])
          r.set_facts_variable(f)
          x = r.resolve(v)
          x = force(x) unless preprocess
          value_answer(x)
        end
      end
    end
  end

  def answer_fresh(c)
    @logs.clear
    case c['op']
    when 'eval'
      c['expect'] = guard do
        h = nil
        with_env do |comp|
          if c['env'] == 'std'
            comp.evaluate_string(@std)
          end
          (c['vars'] || {}).each { |k, v| comp.send(:topscope).setvar(k, S::FromDataConverter.convert(v)) }
          h = value_answer(comp.evaluate_string(c['code']))
        end
        h
      end
      l = take_logs.reject { |lv, m| lv == 'err' }
      c['logs'] = l unless l.empty? || c['expect'].key?('error')
    when 'epp'
      c['expect'] = guard do
        h = nil
        with_env do |comp|
          comp.evaluate_string(@std) if c['env'] == 'std'
          comp.evaluate_string(c['code']) if c['code']
          args = c['params'] ? comp.evaluate_string(c['params']) : nil
          v = args.nil? ? comp.call_function('inline_epp', c['template']) : comp.call_function('inline_epp', c['template'], args)
          h = v.is_a?(String) ? { 'value' => jsonable(v) } : { 'value' => jsonable(rich(v)) }
        end
        h
      end
      @logs.clear
    when 'deferred'
      c['expect'] = deferred_case(c, true)
      lazy = deferred_case(c, false)
      c['expect_lazy'] = lazy unless lazy == c['expect']
      @logs.clear
    else
      c['expect'] = { 'error' => "unknown op #{c['op']}" }
    end
  end
end

$stdout.sync = false
# Puppet prints some things on stderr; keep stdout for answers only. The cases are answered in slices, so that a
# program can ask on and on.
oracle = Oracle.new
$stdin.each_line.each_slice(400) do |lines|
  oracle.run(lines.map { |l| JSON.parse(l) })
  $stdout.flush
end

# Compiles catalogs with Puppet. Package compile of pcat starts it:
#
#   ruby compiler.rb
#
# stdin  requests: the settings first, then one for each node
# fd 3   replies: a "ready", then for each node a "begin" and a "catalog" or an "error"
# fd 4   the lifeline: when it is closed, pcat has ended, and this process also ends
# fd 5   answers to "collect" replies, which ask for exported resources
#
# A request and an answer are a length of 4 bytes (big endian) and JSON. A reply has after
# that a second length and the bytes of the catalog, which are empty in other replies.
#
# One process compiles one tree: Puppet keeps native types, and Ruby keeps required
# files, for as long as the process runs.

require 'delegate'
require 'json'
require 'socket'

$replies = IO.for_fd(3, 'wb')
$replies.sync = true
$lifeline = IO.for_fd(4, 'rb')
$answers = IO.for_fd(5, 'rb')
[$replies, $lifeline, $answers].each { |io| io.close_on_exec = true }
$requests = $stdin.dup
$requests.close_on_exec = true
$requests.binmode
$stdin.reopen('/dev/null')
$stdout.reopen($stderr) # a function that prints must not write into the replies

module Pcat
  # Ruby's own method, which the recorder does not mistake for a program of the branch.
  FORK = Process.method(:fork)

  # The messages between pcat and this process.
  module Wire
    module_function

    # Reads without a buffer, because several workers share a pipe. Returns nil at its end.
    def read(io)
      head = exactly(io, 4) or return nil
      body = exactly(io, head.unpack1('N')) or return nil
      JSON.parse(body, max_nesting: false)
    end

    def exactly(io, size)
      data = String.new(encoding: Encoding::BINARY)
      while data.bytesize < size
        data << io.sysread(size - data.bytesize)
      end
      data.force_encoding(Encoding::UTF_8)
    rescue EOFError
      nil
    end

    def write(header, body = '')
      text = JSON.generate(header)
      locked('write') { $replies.write([text.bytesize].pack('N'), text, [body.bytesize].pack('N'), body) }
    end

    # Only one worker reads at a time.
    def locked(name)
      File.open(File.join($run, "#{name}.lock"), File::RDWR | File::CREAT, 0o600) do |f|
        f.flock(File::LOCK_EX)
        yield
      end
    end
  end

  # Ends with pcat, even if the code of a branch never returns.
  def self.follow_pcat
    Thread.new do
      $lifeline.read
      Process.kill(:KILL, $$)
    end
  end

  # The log messages of the branch while a node is compiled.
  module Messages
    @all = []

    def self.start
      Puppet::Util::Log.close_all
      Puppet::Util::Log.newdesttype(:pcat) do
        def handle(message)
          Messages.add(message)
        end
      end
      Puppet::Util::Log.newdestination(:pcat)
      Puppet::Util::Log.level = :warning
    end

    def self.add(message)
      @all << { level: message.level.to_s, message: Messages.text(message.message), file: message.file, line: message.line }
    end

    # The messages since the last call. Failures are replies of their own.
    def self.take
      all, @all = @all, []
      all.reject { |m| m[:level] == 'err' }.uniq
    end

    # Returns any text as UTF-8.
    def self.text(value)
      value.to_s.dup.force_encoding(Encoding::UTF_8).scrub
    end
  end

  # Replaces eyaml values without keys: equal ciphertexts have equal placeholders.
  module EyamlPlaceholder
    CIPHERTEXT = /ENC\[[^\]]*\]/m

    Text = Struct.new(:to_plain_text)

    def self.install
      require 'digest'
      eyaml = Module.new
      eyaml.const_set(:Options, Module.new { def self.set(_); end })
      eyaml.const_set(:Parser, Module.new)
      eyaml::Parser.const_set(:ParserFactory, Class.new { def self.hiera_backend_parser; new; end
        def parse(text)
          [Text.new(text.gsub(CIPHERTEXT) { |c| "eyaml-#{Digest::SHA256.hexdigest(c.gsub(/\s/, ''))[0, 16]}" })]
        end })
      Object.const_set(:Hiera, Class.new) unless defined?(::Hiera)
      ::Hiera.const_set(:Backend, Module.new) unless ::Hiera.const_defined?(:Backend)
      ::Hiera::Backend.send(:remove_const, :Eyaml) if ::Hiera::Backend.const_defined?(:Eyaml)
      ::Hiera::Backend.const_set(:Eyaml, eyaml)
      %w[encryptor utils options parser/parser].each { |name| $LOADED_FEATURES << "hiera/backend/eyaml/#{name}.rb" }
      Puppet.features.add(:hiera_eyaml) { true }
    end
  end

  # Results for functions and for backends of Hiera that cannot work here, such as those that need a network.
  module Stubs
    def self.install(results)
      return if results.empty?

      stubbed = Module.new do
        define_method(:call_function) do |name, *args, &block|
          results.key?(name.to_s) ? Stubs.copy(results[name.to_s]) : super(name, *args, &block)
        end
      end
      Puppet::Pops::Evaluator::EvaluatorImpl.prepend(stubbed)
      Puppet::Pops::Functions::Function.prepend(stubbed)
      Puppet::Parser::Scope.prepend(stubbed)
      backends = Module.new do
        define_method(:load_function) do |invocation|
          results.key?(function_name) ? Backend.new(results[function_name]) : super(invocation)
        end
      end
      Puppet::Pops::Lookup::FunctionProvider.prepend(backends)
    end

    # A backend of Hiera, whose keys are in the result.
    class Backend
      def initialize(result)
        @data = result.is_a?(Hash) ? result : {}
      end

      # data_hash has no key, lookup_key one, and data_dig a list.
      def call(_scope, key, *others)
        return Stubs.copy(@data) if key.is_a?(Hash)

        value = @data.dig(*key)
        value.nil? ? others.last.not_found : Stubs.copy(value)
      end
    end

    def self.copy(value)
      Marshal.load(Marshal.dump(value))
    end
  end

  # Exported resources, which pcat provides.
  module Exported
    # A terminus needs a name when it is defined, after Puppet was loaded.
    DEFINE = proc do
      class ::Puppet::Resource::Pcat < ::Puppet::Indirector::Code
        desc 'Asks pcat for exported resources.'

        def search(request)
          ::Pcat::Exported.find(request.key, request.options[:filter], request.options[:host], request.options[:scope])
        end
      end
    end

    def self.install
      require 'puppet/indirector/code'
      DEFINE.call
      Puppet[:storeconfigs] = true # sets the three below, which must not write anything
      Puppet::Resource::Catalog.indirection.cache_class = nil
      Puppet::Node::Facts.indirection.cache_class = nil
      Puppet::Resource.indirection.terminus_class = :pcat
    end

    def self.find(type, filter, host, scope)
      answer = Wire.locked('collect') do
        Wire.write({ reply: 'collect', type: type.to_s, filter: filter, node: host })
        Wire.read($answers)
      end
      raise Puppet::Error, "#{type} <<| |>>: #{answer ? answer['error'] : 'pcat is gone'}" unless answer && !answer['error']

      (answer['resources'] || []).map { |found| resource(found, scope) }
    end

    def self.resource(found, scope)
      params = (found['parameters'] || {}).map { |name, value| Puppet::Parser::Resource::Param.new(name: name, value: value) }
      type = Puppet::Pops::Evaluator::Runtime3ResourceSupport.find_resource_type(scope, found['type'])
      made = Puppet::Parser::Resource.new(type, found['title'], parameters: params, scope: scope)
      made.collector_id = "#{found['certname']}|#{found['type']}|#{found['title']}"
      made
    end
  end

  # Compiles the nodes of one environment.
  class Compiler
    def initialize(settings)
      @settings = settings
      configure
      @environment = Puppet.lookup(:environments).get!(Puppet[:environment])
      # The script for config_version would need the history of the repository, which a tree does not have.
      @environment.define_singleton_method(:config_version) { '' } if settings['version']
    end

    def configure
      Puppet.settings.preferred_run_mode = :server
      run, base = @settings.values_at('run', 'basemodulepath')
      Puppet.initialize_settings([
        '--confdir', "#{run}/conf", '--codedir', "#{run}/code", '--vardir', "#{run}/var/lib", '--rundir', "#{run}/var/run",
        '--logdir', "#{run}/var/log", '--ssldir', "#{run}/var/ssl", '--environmentpath', "#{run}/code/environments",
        '--environment', @settings['environment'], *(['--basemodulepath', base] if base)
      ])
      Puppet[:hiera_config] = @settings['hiera'] if @settings['hiera']
      Puppet[:rich_data] = true
      Puppet[:storeconfigs] = false
      Puppet[:environment_timeout] = 'unlimited'
      Puppet[:node_terminus] = :plain
      if @settings['enc']
        Puppet[:node_terminus] = :exec
        Puppet[:external_nodes] = @settings['enc']
      end
      (@settings['settings'] || {}).each { |name, value| Puppet[name.to_sym] = value }
      require 'puppet/indirector/memory'
      Puppet::Node::Facts.indirection.terminus_class = :memory
      Messages.start
      Puppet::Resource::Catalog.indirection.terminus # looks for the facts of this machine, of which none is used
      Messages.take
      EyamlPlaceholder.install if @settings['eyaml'] == 'placeholder'
      Stubs.install(@settings['stubs'] || {})
      Exported.install if @settings['exported']
    end

    # Compiles one node, and replies.
    def compile(request)
      Wire.write({ reply: 'begin', node: request['node'], pid: $$ })
      Dir.chdir($run)
      Messages.take
      catalog, body = catalog(request)
      header = { reply: 'catalog', node: request['node'], messages: Messages.take, bare: bare?(catalog) }
      Wire.write(header.merge(recorded), body)
    rescue Errno::EPIPE
      exit!(1)
    rescue StandardError, ScriptError, SystemStackError, NoMemoryError => e
      Wire.write(failure(request['node'], e).merge(recorded))
    end

    # The mounts of the file server: one per directory of a module, or one for all modules.
    MOUNTS = { 'modules' => 'files', 'scripts' => 'scripts', 'tasks' => 'tasks' }.freeze
    COMMON_MOUNTS = { 'plugins' => 'lib', 'pluginfacts' => 'facts.d', 'locales' => 'locales' }.freeze

    # Records the files of modules that the agent fetches: they are not in the catalog.
    def sources(catalog)
      catalog.resources.each do |resource|
        Array(resource[:source]).grep(%r{\Apuppet://[^/]*/(\w+)/(.+)}i) do
          mount, name = Regexp.last_match.captures
          if (folder = COMMON_MOUNTS[mount])
            @environment.modules.each { |found| Recorder.note(File.join(found.path, folder, name), 'content') }
          elsif (folder = MOUNTS[mount])
            first, below = name.split('/', 2)
            found = @environment.module(first)
            Recorder.note(File.join(found.path, folder, *below), 'content') if found
          end
        end
      end
    end

    # The record of the node, if there is one.
    def recorded
      return {} unless @settings['record']

      Recorder::Shared.pass(shared)
      { uses: Recorder.take, command: Recorder.command }
    end

    # The file with the names of everything that children have loaded.
    def shared
      File.join($run, 'shared')
    end

    def catalog(request)
      name = request['node']
      node = node(name, Puppet::Node::Facts.new(name, facts(request).merge('clientcert' => name)))
      trusted = Puppet::Context::TrustedInformation.new('remote', name, request['extensions'] || {}, request['external'] || {})
      found = Puppet.override({ current_environment: @environment, trusted_information: trusted }, 'pcat') do
        Puppet::Resource::Catalog.indirection.find(name, use_node: node, environment: @environment)
      end
      raise Puppet::Error, 'Puppet returned no catalog' unless found

      found.version = @settings['version'] if @settings['version']
      sources(found) if @settings['record']
      body = Puppet.override({ rich_data: true, current_environment: @environment }, 'pcat') { JSON.generate(found.to_data_hash) }
      [found, body]
    rescue JSON::GeneratorError, EncodingError => e
      raise(found && not_text(found) || e)
    end

    # The error for the first resource with bytes that JSON cannot represent, or nil.
    def not_text(catalog)
      catalog.resources.each do |resource|
        resource.each do |name, value|
          next if text?(value)

          return Puppet::ResourceError.new("#{resource.ref}: #{name} is not UTF-8, as the strings of a catalog are; for bytes, use binary_file() or source", resource.file, resource.line)
        end
      end
      nil
    end

    def text?(value)
      case value
      when String then value.dup.force_encoding(Encoding::UTF_8).valid_encoding?
      when Array then value.all? { |v| text?(v) }
      when Hash then value.all? { |k, v| text?(k) && text?(v) }
      when Puppet::Pops::Types::PSensitiveType::Sensitive then text?(value.unwrap)
      else true
      end
    end

    # The facts, including the facts that an agent adds to Facter's.
    def facts(request)
      added = { 'clientversion' => Puppet.version, 'clientnoop' => false }
      added['implementation'] = Puppet.implementation if Puppet.respond_to?(:implementation)
      request['facts'].merge(added) { |_, given, _| given }
    end

    def node(name, facts)
      if @settings['enc']
        node = classified { Puppet::Node.indirection.find(name, environment: @environment, facts: facts) }
        raise Puppet::Error, 'the ENC returned nothing for this node' unless node

        node.environment = @environment
      else
        node = Puppet::Node.new(name, environment: @environment, facts: facts)
        node.merge(facts.values)
      end
      server = @settings['server'] || 'puppet'
      node.add_server_facts('serverversion' => Puppet.version, 'servername' => server, 'serverip' => '127.0.0.1')
      node
    end

    # The module directories, in search order.
    def modulepath
      @environment.modulepath
    end

    # Runs the ENC. The environment that it assigns is ignored, and the files that it reads do not belong
    # to the tree.
    def classified(&find)
      environment = @environment
      any = SimpleDelegator.new(Puppet.lookup(:environments))
      any.define_singleton_method(:get) { |_| environment }
      any.define_singleton_method(:get!) { |_| environment }
      Puppet.override({ environments: any }, 'pcat') { @settings['record'] ? Recorder.off(&find) : yield }
    end

    # Reports whether no class and no resource was declared.
    def bare?(catalog)
      catalog.resources.all? { |r| r.type == 'Stage' || r.type == 'Node' || (r.type == 'Class' && %w[Settings Main].include?(r.title.to_s.capitalize)) }
    end

    def failure(node, error)
      cause = error.cause
      {
        reply: 'error', node: node, messages: Messages.take, class: error.class.name, message: Messages.text(error.message),
        file: (error.file if error.respond_to?(:file)), line: (error.line if error.respond_to?(:line)), pos: (error.pos if error.respond_to?(:pos)),
        cause: (cause && (cause.backtrace || []).first)
      }
    end

    # Compiles nodes until there are no more requests, or the given number.
    def work(most = nil)
      done = 0
      until most && done == most
        request = Wire.locked('read') { Wire.read($requests) } or return false
        compile(request)
        done += 1
      end
      true
    end

    # Compiles in workers that share the files loaded so far. A worker that ends without a
    # reply loses its node; pcat learns which worker that was.
    #
    # With records, the first worker runs alone, and the others are forked with the files that it has loaded.
    def fork_workers(most_workers, most)
      running = {}
      number = @settings['record'] ? 1 : most_workers
      loop do
        Recorder::Shared.learn(shared, @environment) if @settings['record']
        (number - running.size).times { running[FORK.call { begin_worker(most) }] = true }
        pid, status = Process.wait2
        running.delete(pid)
        number = most_workers
        Wire.write({ reply: 'ended', pid: pid, status: status.to_s }) unless status.success?
        break if finished?
      end
      Process.waitall
    end

    def begin_worker(most)
      Pcat.follow_pcat
      Recorder::Shared.begin if @settings['record']
      more = work(most)
      File.write(File.join($run, 'finished'), '') unless more
      exit!(0)
    end

    def finished?
      File.exist?(File.join($run, 'finished'))
    end
  end

  def self.limit(settings)
    memory = settings['memory'].to_i
    Process.setrlimit(Process::RLIMIT_AS, memory) if memory.positive?
  rescue SystemCallError, NotImplementedError
    nil # no such limit here
  end

  def self.main
    settings = Wire.read($requests) or return
    $run = settings['run']
    follow_pcat
    limit(settings)
    begin
      require 'set'
      require 'puppet'
      if settings['record']
        require_relative 'recorder'
        Recorder.install
      end
      compiler = Compiler.new(settings)
    rescue StandardError, ScriptError => e
      Wire.write({ reply: 'error', class: e.class.name, message: Messages.text(e.message) })
      return
    end
    Wire.write({ reply: 'ready', version: Puppet.version, ruby: RUBY_VERSION, messages: Messages.take, modulepath: compiler.modulepath })
    workers = settings['workers'].to_i
    return compiler.fork_workers([workers, 1].max, 1) if settings['isolate'] || settings['record']
    return compiler.work if workers <= 1

    # The first node loads the files that all nodes need.
    return unless compiler.work(1)

    GC.start
    compiler.fork_workers(workers, nil)
  end
end

Pcat.main

# Records the files that the compilation of a node uses, for compiler.rb.
#
# It observes Ruby's own file methods, below all code of Puppet. A Hiera backend or a function of a
# module is therefore recorded like a manifest. A missing file that was looked for also counts as
# used, because the catalog changes when it is created. Each node is compiled in a separate process,
# because data that Puppet keeps in memory for the next node would hide a use.
#
# There are these kinds of uses: "file" is the content of a file, or the kind of any other object at a
# path; "list" are the names in a directory; "tree" are all names below it; "glob" are the names that
# match a pattern with *; "content" is the content of all files below a path.

module Pcat
  # The uses of this process and, before it was forked, of its parent.
  module Recorder
    PROVIDER = %r{/puppet/provider/}

    @uses = {}
    @off = false
    @command = false

    class << self
      attr_reader :uses, :command

      def note(path, kind = 'file')
        return if @off

        path = path.to_path if path.respond_to?(:to_path)
        return unless usable?(path)

        kinds = (@uses[path] ||= [])
        kinds << kind unless kinds.include?(kind)
      end

      # A relative path is recorded as an absolute path.
      def note_at(path, base, kind)
        path = path.to_path if path.respond_to?(:to_path)
        note(File.absolute_path(path, base), kind) if usable?(path)
      end

      # Reports whether a path can name a file.
      def usable?(path)
        path.is_a?(String) && path.valid_encoding? && !path.include?("\0")
      end

      # Records the directories and names that a pattern of Dir.glob depends on.
      def note_pattern(pattern, base = nil)
        pattern = pattern.to_path if pattern.respond_to?(:to_path)
        return unless usable?(pattern)

        pattern = File.absolute_path(pattern, base)
        names = pattern.split('/')
        first = names.index { |name| name.match?(/[*?\[{\\]/) }
        return note(pattern) unless first

        dir = names[0...first].join('/')
        if names.include?('**') || pattern.match?(/[?\[{\\]/)
          note(dir, 'tree')
        else
          note(pattern, 'glob')
        end
      end

      # A program can read any file. Programs that Puppet's providers run while they are loaded only
      # examine this machine.
      def note_command
        return if @off || @command

        files = caller_locations.filter_map(&:absolute_path).reject { |file| file.start_with?("#{$run}/") }
        @command = !files.any?(PROVIDER) || !files.all? { |file| own?(file) }
      end

      # Does not record the uses of the block.
      def off
        before, @off = @off, true
        yield
      ensure
        @off = before
      end

      # The uses since Puppet was started, without the files of Ruby and Puppet. One file of Puppet
      # represents its version.
      def take
        found = $LOADED_FEATURES.grep(%r{/puppet/version\.rb\z}).to_h { |file| [file, ['file']] }
        @uses.each do |path, kinds|
          full = File.absolute_path(path)
          (found[full] ||= []).concat(kinds).uniq! unless own?(full)
        end
        found
      end

      # Reports whether a file belongs to Ruby, Puppet or the system. The cache of trees can be below one
      # of their directories.
      def own?(path)
        @own.any? { |dir| path.start_with?(dir) } && !path.start_with?(@cache)
      end

      def install
        @cache = "#{File.dirname(File.dirname($run))}/"
        @own = ($LOAD_PATH.map { |dir| File.expand_path(dir) } + Gem.path + ['/proc', '/sys', '/dev']).map { |dir| "#{dir}/" }
        observe_files
        observe_directories
        observe_commands
        observe_code
        observe_puppet
      end

      private

      def observe_files
        one = %i[exist? file? directory? readable? readable_real? writable? writable_real? executable? executable_real? size size? zero? empty?
                 pipe? socket? symlink? blockdev? chardev? owned? grpowned? setuid? setgid? sticky? world_readable? world_writable?]
        more = %i[stat lstat ftype atime ctime mtime birthtime readlink realpath realdirpath]
        observe(FileTest.singleton_class, one)
        observe(File.singleton_class, one + more)
        observe(File::Stat.singleton_class, %i[new])
        observe(IO.singleton_class, %i[read binread readlines foreach sysopen copy_stream])
        [FileTest.singleton_class, File.singleton_class].each do |owner|
          owner.prepend(Module.new do
            def identical?(one, other)
              Recorder.note(one)
              Recorder.note(other)
              super
            end
          end)
        end
        File.prepend(Module.new do
          def initialize(path, *args, **options, &block)
            Recorder.note(path)
            super
          end
        end)
      end

      # Records the first argument of methods.
      def observe(owner, names)
        names = names.select { |name| owner.method_defined?(name) || owner.private_method_defined?(name) }
        owner.prepend(Module.new do
          names.each do |name|
            define_method(name) do |*args, **options, &block|
              first = args.first
              first.is_a?(String) && first.start_with?('|') ? Recorder.note_command : Recorder.note(first)
              super(*args, **options, &block)
            end
          end
        end)
      end

      def observe_directories
        Dir.singleton_class.prepend(Module.new do
          %i[entries children foreach each_child empty? open].each do |name|
            define_method(name) do |path, *args, **options, &block|
              Recorder.note(path, 'list')
              super(path, *args, **options, &block)
            end
          end

          def exist?(path)
            Recorder.note(path)
            super
          end

          def glob(pattern, *args, **options, &block)
            Array(pattern).each { |each| Recorder.note_pattern(each, options[:base]) }
            super
          end

          def [](*patterns, **options)
            patterns.flatten.each { |each| Recorder.note_pattern(each, options[:base]) }
            super
          end
        end)
        Dir.prepend(Module.new do
          def initialize(path, *args, **options)
            Recorder.note(path, 'list')
            super
          end
        end)
      end

      def observe_commands
        runs = proc do
          %i[` system spawn exec fork].each do |name|
            define_method(name) do |*args, **options, &block|
              Recorder.note_command
              super(*args, **options, &block)
            end
          end
        end
        observe_kernel(runs)
        Process.singleton_class.prepend(Module.new(&runs))
        IO.singleton_class.prepend(Module.new do
          def popen(*args, **options, &block)
            Recorder.note_command
            super
          end
        end)
      end

      # Ruby itself reads code that is required or loaded.
      def observe_code
        TracePoint.new(:script_compiled) do |tp|
          Recorder.note(tp.instruction_sequence.path) unless tp.eval_script
        end.enable
        # Ruby looks for required code even if it is missing.
        TracePoint.new(:raise) do |tp|
          error = tp.raised_exception
          path = error.path if error.is_a?(LoadError)
          ['', '.rb'].each { |suffix| Recorder.note(path + suffix) } if path&.start_with?('/')
        end.enable
        observe_kernel(proc do
          def open(path, *args, **options, &block)
            path.is_a?(String) && path.start_with?('|') ? Recorder.note_command : Recorder.note(path)
            super
          end

          def test(command, *paths)
            paths.each { |path| Recorder.note(path) }
            super
          end
        end)
      end

      # Functions of Kernel are private methods of all objects and public methods of Kernel.
      def observe_kernel(functions)
        Kernel.singleton_class.prepend(Module.new(&functions))
        inside = Module.new(&functions)
        inside.send(:private, *inside.instance_methods(false))
        Object.prepend(inside)
      end

      # Puppet lists all functions and types of a module before it looks for one of them. Only the one
      # that it looks for is recorded. If the module has none, the empty list is recorded.
      def observe_puppet
        Puppet::Pops::Loader::ModuleLoaders::FileBased.prepend(Module.new do
          def add_to_index(smart_path)
            found = Recorder.off { super }
            Recorder.note(smart_path.generic_path, 'tree') if found.empty?
            found
          end

          def existing_path(path)
            Recorder.note(path)
            super
          end

          def candidate_paths(path)
            Recorder.note(File.dirname(path), 'list')
            super
          end
        end)
        Puppet::Pops::Parser::Parser.prepend(Shared::Parser)
        # The facts of this machine are not those of the node.
        require 'facter'
        Facter.singleton_class.prepend(Module.new do
          %i[value fact to_hash [] resolve].each do |name|
            define_method(name) { |*args| Recorder.off { super(*args) } }
          end
        end)
      end
    end

    # Loaded code that does not depend on the node. The parent also loads it and saves the next child the
    # work. It consists of the syntax trees of manifests, which depend only on their files, and of the code
    # and the types of Puppet.
    module Shared
      # The path of a type of Puppet.
      TYPE = %r{/puppet/type/(\w+)\.rb\z}
      # Files that Puppet loads only after it has searched the modules for files of the same name.
      SEARCHED = %r{/puppet/(provider|parser/functions|functions|reports|face|application)/}

      @programs = {}
      @parsed = []

      class << self
        # Returns the syntax tree of a file. The block parses it.
        def program(file)
          Recorder.note(file)
          @programs.fetch(file) do
            @parsed << file
            yield
          end
        end

        # Starts a child.
        def begin
          @parsed = []
          @before = $LOADED_FEATURES.to_h { |file| [file, true] }
        end

        # Sends the names of the files that this process has loaded to its parent.
        def pass(to)
          code = $LOADED_FEATURES.select { |file| !@before[file] && Recorder.own?(file) }.grep_v(SEARCHED)
          text = JSON.generate({ manifests: @parsed, code: code })
          Recorder.off { File.write(to, "#{text}\n", mode: 'a') }
        end

        # Loads the files that finished children had loaded.
        def learn(from, environment)
          lines = Recorder.off { File.exist?(from) ? File.readlines(from).tap { File.unlink(from) } : [] }
          lines.each do |line|
            names = JSON.parse(line)
            Recorder.off do
              names['manifests'].each { |file| parse(file) }
              names['code'].grep_v(TYPE).each { |file| load(file) }
            end
            types = names['code'].filter_map { |file| file[TYPE, 1] }
            Puppet.override({ current_environment: environment }, 'pcat') { types.each { |name| Puppet::Type.type(name) } }
          end
        end

        private

        def parse(file)
          return if @programs.key?(file)

          program = Puppet::Pops::Parser::Parser.new.parse_file(file)
          program.model
          @programs[file] = program
        rescue StandardError
          nil # the node has the error
        end

        def load(file)
          require file
        rescue StandardError, ScriptError
          nil # it needs others first
        end
      end

      # Parses each file once.
      module Parser
        def parse_file(file)
          Shared.program(file) { super }
        end
      end
    end
  end
end

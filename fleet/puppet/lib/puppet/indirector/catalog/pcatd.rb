# frozen_string_literal: true

require 'cgi'
require 'json'
require 'net/http'
require 'openssl'
require 'uri'
require 'zlib'

require 'puppet/indirector/code'
require 'puppet/resource/catalog'

# Sends each catalog that Puppet Server compiles to pcatd. Unlike PuppetDB, pcatd gets Sensitive values,
# Deferred calls and rich data.
#
# routes.yaml makes it the cache of catalogs, and Puppet Server then calls save after each compilation:
#
#   server:
#     catalog: {terminus: compiler, cache: pcatd}
#
# As without pcatd, PuppetDB stores the catalog first, and its failures fail the compilation. Failures of pcatd
# never do: the catalog waits in memory until a thread can send it. See docs/fleet-feeds.md.
class Puppet::Resource::Catalog::Pcatd < Puppet::Indirector::Code
  desc 'Stores catalogs in PuppetDB as before, and sends complete copies of them to pcatd.'

  # The errors that pcatd can raise during a compilation. SystemStackError and NoMemoryError are not StandardErrors.
  FAULTS = [StandardError, ScriptError, SystemStackError, NoMemoryError].freeze

  LOCK = Mutex.new

  # Reports whether a line may be written to the log now: at most one a minute.
  def self.log?
    LOCK.synchronize do
      now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      next false if @logged && now - @logged < 60

      @logged = now
      true
    end
  end

  def save(request)
    stored = indirection.terminus(:store_configs).save(request) if Puppet[:storeconfigs]
    hand_over(request)
    stored
  end

  # Nothing is read from this cache: each catalog is compiled.
  def find(_request)
    nil
  end

  private

  # Serialization needs the context of the request, so the thread cannot do it.
  def hand_over(request)
    catalog = request.instance
    json = Puppet.override(rich_data: true, stringify_rich: false) { JSON.generate(catalog.to_data_hash) }
    query = URI.encode_www_form(environment: catalog.environment, transaction: request.options[:transaction_uuid],
                                produced: Time.now.utc.strftime('%Y-%m-%dT%H:%M:%S.%LZ'))
    outbox.put([request.key, catalog.environment], "/feed/v1/catalogs/#{CGI.escape(request.key)}?#{query}", Outbox.gzip(json))
  rescue *FAULTS => e
    refused = LOCK.synchronize { @refused = @refused.to_i + 1 }
    return unless self.class.log?

    # Other messages may contain a part of the catalog.
    reason = e.is_a?(Settings::Error) ? e.message : e.class
    Puppet.warning("pcatd: #{refused} catalogs not sent so far, the last one is of #{request.key}: #{reason}")
  end

  def outbox
    LOCK.synchronize { @outbox ||= Outbox.new(Settings.read) }
  end

  # The settings, from the file pcatd.json next to puppet.conf.
  class Settings
    DEFAULTS = {
      'url' => nil,               # of pcatd serve --terminus
      'max_bytes' => 16 << 20,    # of compressed catalogs that wait, for each JRuby instance
      'connect_timeout' => 3,     # in seconds, also for TLS
      'read_timeout' => 5,        # in seconds, also for writing
    }.freeze

    # An error in the file. The message does not contain values.
    class Error < StandardError; end

    attr_reader :url, :max_bytes, :connect_timeout, :read_timeout, :hostcert, :hostprivkey, :localcacert

    def self.file
      File.join(Puppet[:confdir], 'pcatd.json')
    end

    def self.read
      new(JSON.parse(File.read(file, encoding: 'utf-8')))
    rescue JSON::ParserError
      raise Error, "#{file}: it is not JSON"
    rescue SystemCallError => e
      raise Error, e.message
    end

    def initialize(values)
      raise Error, "#{self.class.file}: it must be a JSON object" unless values.is_a?(Hash)

      unknown = values.keys - DEFAULTS.keys
      raise Error, "#{self.class.file}: unknown setting #{unknown.first.inspect}" if unknown.any?

      DEFAULTS.merge(values).each do |name, value|
        value = name == 'url' ? https(value) : positive(name, value)
        instance_variable_set("@#{name}", value)
      end
      @hostcert, @hostprivkey, @localcacert = Puppet[:hostcert], Puppet[:hostprivkey], Puppet[:localcacert]
    end

    # A new connection, not yet open. The files are read each time, because certificates are renewed.
    def connection
      http = Net::HTTP.new(url.host, url.port, nil) # without a proxy
      http.use_ssl = true
      http.verify_mode = OpenSSL::SSL::VERIFY_PEER
      http.ca_file = localcacert
      http.cert = OpenSSL::X509::Certificate.new(File.read(hostcert))
      http.key = OpenSSL::PKey.read(File.read(hostprivkey))
      http.open_timeout = http.ssl_timeout = connect_timeout
      http.read_timeout = read_timeout
      http.write_timeout = read_timeout if http.respond_to?(:write_timeout=)
      http.keep_alive_timeout = 30
      http
    end

    private

    def https(text)
      uri = URI.parse(text.to_s)
      return uri if uri.is_a?(URI::HTTPS) && uri.host && ['', '/'].include?(uri.path) && !uri.userinfo && !uri.query

      raise URI::InvalidURIError
    rescue URI::InvalidURIError
      raise Error, "#{self.class.file}: url must be like https://pcatd.example.com:8082"
    end

    def positive(name, value)
      return value if value.is_a?(Numeric) && value.positive?

      raise Error, "#{self.class.file}: #{name} must be a number above 0"
    end
  end

  # A queue of catalogs for pcatd, the newest of each node and environment. Its size in bytes is limited: the
  # oldest catalogs are dropped. A thread sends them. It runs only while the queue has catalogs, because a thread
  # keeps the whole JRuby instance in memory after a reload of Puppet Server.
  class Outbox
    IDLE = 3             # seconds without a catalog after which the thread ends
    PAUSES = [0.5, 1, 2, 5, 10, 30].freeze # seconds after attempts that failed
    LAST_CHANCE = 2      # seconds for the thread at the end of the process
    REFUSED = [400, 413, 415].freeze # answers about the catalog, not the state of pcatd: it is not sent again

    Item = Struct.new(:path, :body)

    def self.gzip(text)
      deflate = Zlib::Deflate.new(Zlib::BEST_SPEED, 16 + Zlib::MAX_WBITS)
      deflate.deflate(text, Zlib::FINISH)
    ensure
      deflate&.close
    end

    def initialize(settings)
      @settings = settings
      @lock = Mutex.new
      @change = ConditionVariable.new
      @items = {} # the oldest first
      @bytes = 0
      @sent = @dropped = @refused = @failures = 0
      at_exit { finish }
    end

    def put(key, path, body)
      @lock.synchronize do
        remove(key)
        @items[key] = Item.new(path, body)
        @bytes += body.bytesize
        while @bytes > @settings.max_bytes
          remove(@items.keys.first)
          @dropped += 1
          @trouble = 'the queue is full'
        end
        report
        @thread = Thread.new { send_all } unless @thread&.alive?
        @change.broadcast
      end
    end

    private

    def remove(key)
      item = @items.delete(key)
      @bytes -= item.body.bytesize if item
    end

    # The body of the thread. A catalog stays in the queue until pcatd has it, unless a newer one replaces it.
    def send_all
      Thread.current.report_on_exception = false
      attempt = 0
      while (key, item = oldest)
        begin
          connection ||= @settings.connection.start
          settle(key, item, post(connection, item))
          attempt = 0
        rescue *FAULTS => e
          close(connection)
          connection = nil
          break unless again?(e, attempt)

          attempt += 1
        end
      end
    ensure
      close(connection)
    end

    def oldest
      @lock.synchronize do
        @change.wait(@lock, IDLE) if @items.empty? && !@ending
        @thread = nil if @items.empty?
        @items.first
      end
    end

    def post(connection, item)
      headers = { 'Content-Type' => 'application/vnd.puppet.rich+json', 'Content-Encoding' => 'gzip' }
      status = connection.post(item.path, item.body, headers).code.to_i
      raise "status #{status}" unless (200..299).cover?(status) || REFUSED.include?(status)

      status
    end

    # Removes a catalog that pcatd has accepted or refused.
    def settle(key, item, status)
      @lock.synchronize do
        remove(key) if @items[key].equal?(item)
        if REFUSED.include?(status)
          @refused += 1
          @trouble = "status #{status}"
        else
          @sent += 1
          @down = false
        end
        report
      end
    end

    # Waits before the next attempt. Returns false if there is none: at the end of the process, only one attempt is made.
    def again?(error, attempt)
      @lock.synchronize do
        last = @ending
        @failures += 1
        @down = true
        @trouble = "#{@settings.url}: #{error.class}: #{error.message}"
        report
        pause = now + PAUSES.fetch(attempt, PAUSES.last) * (0.75 + rand / 2)
        until last || @ending
          left = pause - now
          break unless left.positive? # a wait for less than no time is an error that ends the thread

          @change.wait(@lock, left)
        end
        !last
      end
    end

    # Writes at most one line a minute to the log: about failures, and about the first catalog sent after them.
    def report
      return unless @trouble || @reported_down != @down
      return unless Puppet::Resource::Catalog::Pcatd.log?

      @trouble ? Puppet.warning("#{totals}; #{@trouble}") : Puppet.notice(totals)
      @reported_down = @down
      @trouble = nil
    end

    def totals
      "pcatd: #{@sent} catalogs sent, #{@items.size} waiting (#{@bytes} bytes), #{@dropped} dropped, " \
        "#{@refused} refused, #{@failures} attempts failed"
    end

    # Gives the thread a last chance, then ends it.
    def finish
      thread = @lock.synchronize do
        @ending = true
        @change.broadcast
        @thread
      end
      thread.kill unless thread.nil? || thread.join(LAST_CHANCE)
      Puppet.warning("#{totals}; the ones that wait are lost at the end of this Ruby") if @items.any?
    end

    def close(connection)
      connection&.finish
    rescue *FAULTS
      nil # it is closed, or unusable
    end

    def now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
  end
end

# frozen_string_literal: true

require 'json'
require 'open3'
require 'timeout'

require 'puppet/indirector/code'
require 'puppet/transaction/report'

# Redacts each report with pcat before Puppet sends it or passes it to report processors.
#
# routes.yaml makes it the terminus of reports, on nodes with an agent:
#
#   agent:
#     report: {terminus: pcat, cache: yaml}
#
# The README describes the installation and the settings.
class Puppet::Transaction::Report::Pcat < Puppet::Indirector::Code
  desc 'Redacts reports with pcat, and sends or processes them as without it.'

  def save(request)
    settings = Settings.read
    begin
      report = redacted(request.instance, settings)
    rescue StandardError => e
      # Other messages may contain a part of the report.
      reason = e.is_a?(Failure) ? e.message : e.class
      raise Puppet::Error, "pcat: the report is withheld: #{reason}" unless settings.send_anyway?

      Puppet.warning("pcat: the report is sent with its secrets: #{reason}")
      report = request.instance
    end
    sent = request.dup # the local copy, of the cache, is as it was
    sent.instance = report
    indirection.terminus(Puppet.run_mode.agent? ? :rest : :processor).save(sent)
  end

  # The report cannot be redacted. The message does not contain a part of it.
  class Failure < StandardError; end

  # The settings, from the optional file pcat-report.json next to puppet.conf.
  class Settings
    DEFAULTS = {
      'pcat' => '/usr/bin/pcat',
      'arguments' => [],          # more arguments of pcat redact
      'timeout' => 20,            # in seconds
      'on_failure' => 'withhold', # or send: the report as it is
    }.freeze

    attr_reader :pcat, :arguments, :timeout

    def self.file
      File.join(Puppet[:confdir], 'pcat-report.json')
    end

    def self.read
      new(File.exist?(file) ? JSON.parse(File.read(file, encoding: 'utf-8')) : {})
    rescue JSON::ParserError
      raise Puppet::Error, "#{file}: it is not JSON; the report is withheld"
    end

    def initialize(values)
      check(values.is_a?(Hash), 'it must be a JSON object')
      unknown = values.keys - DEFAULTS.keys
      check(unknown.empty?, "unknown setting #{unknown.first.inspect}")
      @pcat, @arguments, @timeout, @on_failure = DEFAULTS.merge(values).values_at(*DEFAULTS.keys)
      check(@pcat.is_a?(String), 'pcat must be the path of a program')
      check(@arguments.is_a?(Array) && @arguments.all? { |a| a.is_a?(String) }, 'arguments must be a list of texts')
      check(@timeout.is_a?(Numeric) && @timeout.positive?, 'timeout must be a number above 0')
      check(%w[withhold send].include?(@on_failure), 'on_failure must be withhold or send')
    end

    def send_anyway?
      @on_failure == 'send'
    end

    private

    def check(valid, problem)
      raise Puppet::Error, "#{self.class.file}: #{problem}; the report is withheld" unless valid
    end
  end

  private

  # Returns a copy of the report without its secrets and the secrets of the node's cached catalog.
  def redacted(report, settings)
    command = [settings.pcat, 'redact', '--quiet', *settings.arguments]
    catalogs(report.host).each { |file| command.push('--secrets-from', file) }
    text = run([*command, '-'], report.render(:json), settings.timeout)
    report.class.convert_from(:json, text)
  end

  def catalogs(node)
    %w[json msgpack].map { |extension| File.join(Puppet[:client_datadir], 'catalog', "#{node}.#{extension}") }
                    .select { |file| File.exist?(file) }
  end

  # Runs a command and returns its output. The text is passed through a pipe and is never in a file.
  def run(command, text, seconds)
    Open3.popen3(*command) do |input, output, errors, process|
      threads = [Thread.new { feed(input, text) }, Thread.new { output.read }, Thread.new { errors.read }]
      begin
        _, out, messages = Timeout.timeout(seconds, Timeout::Error) { threads.map(&:value) }
        status = process.value
      rescue Timeout::Error
        raise Failure, "#{command.first} took longer than #{seconds} seconds"
      ensure
        kill(process)
        threads.each(&:kill)
      end
      # pcat prints no secrets in its messages.
      raise Failure, "#{command.first} failed: #{messages.lines.first.to_s.chomp}" unless status.success?

      out.force_encoding(Encoding::UTF_8)
    end
  rescue SystemCallError => e
    raise Failure, "#{command.first} cannot be run: #{e.message}"
  end

  def feed(input, text)
    input.binmode
    input.write(text)
    input.close
  rescue Errno::EPIPE
    nil # the command ended early, and its status says why
  end

  def kill(process)
    Process.kill(:KILL, process.pid) if process.alive?
  rescue Errno::ESRCH
    nil # it has ended
  end
end

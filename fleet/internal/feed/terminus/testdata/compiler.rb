# frozen_string_literal: true

# Compiles with real Puppet as Puppet Server does: the cache of catalogs is the terminus of pcatd, and the backend
# of storeconfigs records the catalogs that PuppetDB would get.
#
#   ruby compiler.rb LIB DIR
#
# LIB is the folder with pcatd's terminus, DIR that of puppet.conf and pcatd.json. It reads a question as JSON from
# each line, and answers with a line: {node, code, environment, broken} compiles. At the end, it writes the lines of
# pcatd in the log.

require 'json'
require 'puppet'
require 'puppet/resource/catalog'
require 'puppet/indirector/code'

$LOAD_PATH.unshift(ARGV[0])
$stdout.sync = true

# Records as PuppetDB stores.
class Puppet::Resource::Catalog::Recorder < Puppet::Indirector::Code
  class << self
    attr_accessor :broken, :saved
  end

  def find(_request)
    nil
  end

  def save(request)
    raise Puppet::Error, 'PuppetDB is down' if self.class.broken

    self.class.saved = request.instance.resources.size
    'stored'
  end
end

Puppet.initialize_settings(['--confdir', ARGV[1], '--vardir', File.join(ARGV[1], 'var'), '--run_mode', 'server'])
Puppet[:rich_data] = true
Puppet[:storeconfigs_backend] = 'recorder'
Puppet::Util::Log.level = :info
logged = []
at_exit { warn logged.grep(/pcatd/).join("\n") }
Puppet::Util::Log.newdesttype(:memory) { define_method(:handle) { |message| logged << message.to_s } }
Puppet::Util::Log.newdestination(:memory)

catalogs = Puppet::Resource::Catalog.indirection
catalogs.terminus_class = :compiler
catalogs.cache_class = :pcatd

while (line = $stdin.gets)
  question = JSON.parse(line)
  environment = Puppet::Node::Environment.create(question.fetch('environment').to_sym, [])
  loaders = Puppet::Environments::Static.new(environment)
  Puppet[:code] = question['code'].to_s
  Puppet::Resource::Catalog::Recorder.broken = question['broken']
  Puppet::Resource::Catalog::Recorder.saved = nil
  answer = {}
  Puppet.override(current_environment: environment, environments: loaders) do
    node = Puppet::Node.new(question.fetch('node'), environment: environment)
    node.merge({ 'kernel' => 'Linux' })
    begin
      catalog = catalogs.find(node.name, use_node: node, environment: environment,
                                         transaction_uuid: '0f3c6f2c-8a0e-4b7e-9c58-4f6c3c1f7e11')
      answer[:resources] = catalog.resources.size
    rescue StandardError => e
      answer[:error] = e.message
    end
  end
  answer[:saved] = Puppet::Resource::Catalog::Recorder.saved
  answer[:threads] = Thread.list.size
  answer[:log] = logged.grep(/pcatd/)
  puts JSON.generate(answer)
end

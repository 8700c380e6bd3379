# frozen_string_literal: true

# Reads texts of pcatd.json, and answers with the error of each, or "ok".

require 'json'
require 'puppet'
require 'tmpdir'

$LOAD_PATH.unshift(File.expand_path('../../../../puppet/lib', __dir__))
require 'puppet/indirector/catalog/pcatd'

Dir.mktmpdir do |dir|
  Puppet.initialize_settings(['--confdir', dir])
  JSON.parse($stdin.read).each do |text|
    File.write(File.join(dir, 'pcatd.json'), text)
    begin
      Puppet::Resource::Catalog::Pcatd::Settings.read
      puts '"ok"'
    rescue Puppet::Resource::Catalog::Pcatd::Settings::Error => e
      puts JSON.generate(e.message)
    end
  end
end

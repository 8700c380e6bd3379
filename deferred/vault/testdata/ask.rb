# Asks the function in Ruby: ruby ask.rb MODULE CALLS prints the answer to each line of CALLS, a file that
# `go test -record CALLS` writes. MODULE is the directory of the module puppet/vault_lookup.
require 'json'
require 'puppet'

$LOAD_PATH << File.join(ARGV[0], 'lib')
Puppet.initialize_settings([])
require 'puppet_x/vault_lookup/lookup'

# A cache of nothing.
class Forgetful
  def retrieve(_) = {}
end

PARAMETERS = %w[vault_addr cert_path_segment cert_role namespace auth_namespace field auth_method role_id secret_id
                approle_path_segment agent_sink_file].freeze

File.foreach(ARGV[1]) do |line|
  call = JSON.parse(line)
  path, *given = call['arguments']
  options = given[0].is_a?(Hash) ? given[0] : PARAMETERS.zip(given).to_h
  variables = call['environment'] || {}
  variables.each { |name, value| ENV[name] = value }
  answer =
    begin
      all = PARAMETERS.to_h { |name| [name.to_sym, options[name]] }
      { value: PuppetX::VaultLookup::Lookup.lookup(cache: Forgetful.new, path: path, **all).unwrap }
    rescue Puppet::Error => e
      { error: e.message }
    end
  variables.each_key { |name| ENV.delete(name) }
  puts JSON.generate(answer)
end

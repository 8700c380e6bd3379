# Reads reports as Puppet does. For each text of a JSON list, it writes the texts of its log lines and
# the references of its resources.
require 'json'
require 'puppet'

JSON.parse($stdin.read).each do |text|
  report = YAML.unsafe_load(text)
  raise report.class.name unless report.is_a?(Puppet::Transaction::Report)

  puts JSON.generate(report.logs.map(&:message) + report.resource_statuses.keys)
end

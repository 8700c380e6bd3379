# Prints how Psych reads each YAML text: one line of JSON, the text of the value with its classes, or null for a refusal.
require 'date'
require 'json'
require 'psych'

def described(value)
  case value
  when Hash then value.map { |k, v| "#{described(k)}=>#{described(v)}" }.join(',').then { |s| "{#{s}}" }
  when Array then "[#{value.map { |v| described(v) }.join(',')}]"
  else "#{value.class}:#{value.is_a?(Time) ? value.to_r : value.inspect}"
  end
end

JSON.parse($stdin.read).each do |text|
  values = Psych.parse_stream(text).children.map do |document|
    described(Psych.safe_load(document.to_ruby.to_yaml, permitted_classes: [Date, Time, Symbol], aliases: true))
  end
  puts JSON.generate(values)
rescue StandardError
  puts 'null'
end

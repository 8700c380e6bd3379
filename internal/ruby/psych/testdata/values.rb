# Prints what Psych loads from each document of a JSON list on standard input, as a line of JSON: a list of
# the class and the parts of a value, or "error".
require 'json'
require 'psych'

def parts(value)
  case value
  when Hash then ['Hash', *value.map { |k, v| [parts(k), parts(v)] }]
  when Array then ['Array', *value.map { |v| parts(v) }]
  when nil then ['Undef']
  when true, false then ['Boolean', value.to_s]
  when Float then ['Float', value.nan? ? 'NaN' : [value].pack('G').unpack1('H*')]
  else [value.class.name, value.dup.force_encoding('UTF-8').scrub.to_s]
  end
rescue NoMethodError # a number or a symbol
  [value.class.name, value.to_s]
end

JSON.parse($stdin.read).each do |text|
  answer = begin
    parts(Psych.safe_load(text, permitted_classes: [Symbol], aliases: true))
  rescue StandardError, SystemStackError, Psych::Exception
    'error'
  end
  puts JSON.generate(answer, max_nesting: 0)
end

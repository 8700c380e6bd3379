# Prints what Psych reads plain scalars as: one line of JSON, a class and a value, for each string of a JSON
# list on standard input. A date is the beginning of its day.
require 'date'
require 'json'
require 'psych'

loader = Psych::ClassLoader.new
JSON.parse($stdin.read).each do |text|
  value = begin
    Psych::ScalarScanner.new(loader).tokenize(text)
  rescue StandardError # Psych cannot load such a document
    next puts '["Error",""]'
  end
  answer =
    case value
    when nil then ['Undef', '']
    when true, false then ['Boolean', value.to_s]
    when Integer then ['Integer', value.to_s]
    when Float then ['Float', value.nan? ? 'NaN' : [value].pack('G').unpack1('H*')]
    when Symbol then ['Symbol', value.to_s]
    when Date then ['Date', Time.utc(value.year, value.month, value.day).to_i.to_s]
    when Time then ['Time', format('%d.%09d', value.to_i, value.nsec)]
    else ['String', value]
    end
  puts JSON.generate(answer)
end

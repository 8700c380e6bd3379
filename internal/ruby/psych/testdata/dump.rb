# Writes each text as Psych does: alone, as a value, in lists, and as a key.
require 'json'
require 'psych'
JSON.parse($stdin.read).each do |s|
  puts JSON.generate([s.to_yaml, { 'a' => s }.to_yaml, [s, [s]].to_yaml, { s => 1 }.to_yaml])
end

# Prints what Ruby loads from each YAML document of a JSON list on standard input, as a line of JSON.
require 'json'
require 'psych'

JSON.parse($stdin.read).each { |text| puts JSON.generate(Psych.safe_load(text, aliases: true)) }

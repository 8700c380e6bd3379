# Prints classes.jsonl: the characters of Ruby's named classes, as ranges. Run
# from the package's folder:
#
#	ruby testdata/classes.rb > testdata/classes.jsonl
$VERBOSE = nil
require 'json'

RUNES = (0..0x10ffff).reject { |c| (0xd800..0xdfff).cover?(c) }

%w[Assigned Alnum Alpha Blank Cntrl Digit Graph Lower Print Punct Space Upper Word XDigit].each do |name|
  re = Regexp.new("\\p{#{name}}")
  ranges = RUNES.select { |c| re.match?([c].pack('U')) }
                .slice_when { |a, b| b != a + 1 }
                .map { |run| run.first == run.last ? [run.first] : [run.first, run.last] }
  puts JSON.generate(name: name, ranges: ranges)
end

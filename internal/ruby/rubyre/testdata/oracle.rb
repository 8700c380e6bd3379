# Prints ruby.jsonl: what Ruby answers for the patterns of patterns.txt and for
# generated ones. Run from the package's folder:
#
#	ruby testdata/oracle.rb > testdata/ruby.jsonl
#	ruby testdata/oracle.rb SEED COUNT    other generated patterns, for a fuzz run
#
# One object a line. Each has "pattern" and, if they are not none, "options" (of
# Regexp.new: 1 i, 2 x, 4 m). Then one of
#
#	error                     the message of Regexp.new, without the pattern
#	string, from, match       byte offsets of the groups, -1 for none; or null
#	string, scan              the same for every match that gsub finds
#	string, split             String#split
#	string, template, sub, gsub    the results, or the class of the error
#	string, raised            the message of the error of a search
#	to_s, names               Regexp#to_s and MatchData#names by group number
$VERBOSE = nil
require 'json'
require 'timeout'
Encoding.default_external = Encoding.default_internal = Encoding::UTF_8

def offsets(m, s)
  (0...m.size).flat_map { |i| m.begin(i) ? [s[0, m.begin(i)].bytesize, s[0, m.end(i)].bytesize] : [-1, -1] }
end

def put(pattern, options, answer)
  head = { pattern: pattern }
  head[:options] = options if options != 0
  puts JSON.generate(head.merge(answer))
end

def compile(pattern, options)
  Regexp.new(pattern, options)
rescue RegexpError => e
  put pattern, options, error: e.message.delete_suffix(": /#{pattern}/").sub(/: \/.*\z/m, '')
  nil
end

def match(pattern, string, from = 0, options = 0)
  re = compile(pattern, options) or return
  m = re.match(string, from)
  answer = { string: string }
  answer[:from] = string[0, from].bytesize if from != 0
  put pattern, options, answer.merge(match: m && offsets(m, string))
rescue RegexpError => e # Ruby compiles again when the string is not ASCII
  put pattern, options, string: string, raised: e.message
end

def scan(pattern, string, options = 0)
  re = compile(pattern, options) or return
  all = []
  string.gsub(re) { all << offsets($~, string); '' }
  put pattern, options, string: string, scan: all
end

def split(pattern, string)
  re = compile(pattern, 0) or return
  put pattern, 0, string: string, split: string.split(re)
end

def replace(pattern, string, template)
  re = compile(pattern, 0) or return
  attempt = ->(how) { string.public_send(how, re, template) rescue { error: $!.message } }
  put pattern, 0, string: string, template: template, sub: attempt[:sub], gsub: attempt[:gsub]
end

def describe(pattern, options = 0)
  re = compile(pattern, options) or return
  names = [''] + re.named_captures.flat_map { |n, is| is.map { |i| [i, n] } }.sort.map(&:last)
  names = [''] * (Regexp.new("#{pattern}|", options).match('').size) if names.size == 1
  put pattern, options, to_s: re.to_s, names: names
end

# Gen makes random patterns of a small alphabet and strings they may match.
class Gen
  ATOMS = %w[a b c . \w \d \s \W \h é [ab] [^a] [a-c] [[:alpha:]] [^[:space:]] \p{L} [a-z&&[^b]] ß K s].freeze
  PLACES = ['^', '$', '\A', '\z', '\Z', '\b', '\B', '\G'].freeze
  QUANTIFIERS = %w[* + ? *? +? ?? {2} {1,2} {,2} {0,2}? {2,} *+ ++ ?+ {1}? {2}+].freeze
  PIECES = ['a', 'b', 'c', 'aa', 'ab', "\n", ' ', 'é', '1', '-', 'B', 'ss', 'ß', 'K', ''].freeze

  def initialize(seed)
    @r = Random.new(seed)
  end

  def pick(list)
    list[@r.rand(list.size)]
  end

  def pattern
    @groups = 0
    @closed = []
    @named = @r.rand(5).zero?
    alternatives(2)
  end

  def string
    Array.new(@r.rand(6)) { pick(PIECES) }.join.encode('UTF-8')
  end

  def alternatives(depth)
    Array.new([1, 1, 1, 2, 2, 3][@r.rand(6)]) { branch(depth) }.join('|')
  end

  def branch(depth)
    Array.new(@r.rand(4)) { quantified(depth) }.join
  end

  def quantified(depth)
    atom(depth) + (@r.rand(3).zero? ? pick(QUANTIFIERS) : '')
  end

  def atom(depth)
    kind = @r.rand(depth.zero? ? 14 : 26)
    case kind
    when 0..9 then pick(ATOMS)
    when 10..11 then pick(PLACES)
    when 12 then @closed.any? && !@named ? "\\#{pick(@closed)}" : pick(ATOMS)
    when 13 then @closed.any? && @named ? "\\#{pick(%w[k k g])}<n#{pick(@closed)}>" : '\R'
    when 14..18
      number = @groups += 1
      body = alternatives(depth - 1)
      @closed << number
      @named ? "(?<n#{number}>#{body})" : "(#{body})"
    when 19..20 then "(?:#{alternatives(depth - 1)})"
    when 21 then "(?>#{alternatives(depth - 1)})"
    when 22 then "(?#{pick(%w[= !])}#{alternatives(depth - 1)})"
    when 23 then "(?<#{pick(%w[= !])}#{pick(%w[a ab [ab] ^ a|bc .])})"
    when 24 then "(?#{pick(%w[i m i-m])}:#{alternatives(depth - 1)})"
    when 25 then @closed.any? && !@named ? "(?(#{pick(@closed)})#{branch(depth - 1)}|#{branch(depth - 1)})" : "(?i)#{branch(depth - 1)}"
    end
  end
end

def generate(seed, count)
  gen = Gen.new(seed)
  count.times do
    pattern = gen.pattern.encode('UTF-8')
    # A pattern that takes Ruby long is of no use here.
    Timeout.timeout(1) do
      2.times { match pattern, gen.string }
      scan pattern, gen.string
      split pattern, gen.string
    end
  rescue Timeout::Error
    next
  end
end

FOLDS = %w[ss ß ẞ fi ﬁ ﬃ st ﬆ ſ s S k K \u212a σ ς Σ ŉ ʼn i ı İ é É ǆ ǅ [a-z] [^k] [[:lower:]] [[:upper:]&&[^K]] [ß-é]
           [x\u212a] \w \W [\W] [^\W] \p{Lu} [^ß] [\p{Ll}x] (?:ss) s+ (s)(?-i:s)].freeze
FOLDED = %w[s S ſ ß ẞ k K K f i I ff ﬁ ﬀ ﬃ t st ﬆ σ ς Σ ŉ ʼn é É x ǆ Ǆ ǅ].freeze

# folds makes patterns that ignore case, and strings with letters to join.
def folds(seed, count)
  r = Random.new(seed)
  count.times do
    pattern = Array.new(1 + r.rand(3)) { FOLDS[r.rand(FOLDS.size)] }.join.gsub('\u212a', "\u212a")
    pattern = "\\A(?:#{pattern})\\z" if r.rand(2).zero?
    3.times { match pattern, Array.new(1 + r.rand(4)) { FOLDED[r.rand(FOLDED.size)] }.join, 0, 1 }
  end
end

CLUSTERS = ["a", "\r", "\n", "\u0301", "\u200d", "\u{1f468}", "\u{1f3fd}", "\u{1f1eb}", "\u1100", "\u1161", "\u11a8",
            "\uac00", "\uac01", "\u0600", "\u0903", "\u0915", "\u094d", "\u0000", "\ufe0f", "\u00a9"].freeze

# clusters makes strings for \X.
def clusters(seed, count)
  r = Random.new(seed)
  count.times { scan '\X', Array.new(1 + r.rand(8)) { CLUSTERS[r.rand(CLUSTERS.size)] }.join }
end

if ARGV.size == 2
  seed, count = ARGV.map { |a| Integer(a) }
  generate seed, count
  folds seed, count
  clusters seed, count
  exit
end

File.foreach('testdata/patterns.txt', chomp: true) do |line|
  next if line.empty? || line.start_with?('# ')

  method, *args = JSON.parse("[#{line}]")
  send(method, *args)
end
generate 1, 250
folds 1, 100
clusters 1, 60

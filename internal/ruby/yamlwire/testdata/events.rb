# Prints the events of libyaml for each document in a JSON list on standard input, as a line of JSON.
require 'json'
require 'psych'

class Events < Psych::Handler
  def initialize(out) = @out = out
  def start_document(_version, _tags, _implicit) = @out << '+DOC'
  def end_document(implicit) = @out << (implicit ? '-DOC' : '-DOC ...')
  def start_sequence(anchor, tag, _implicit, _style) = @out << node('+SEQ', anchor, tag)
  def end_sequence = @out << '-SEQ'
  def start_mapping(anchor, tag, _implicit, _style) = @out << node('+MAP', anchor, tag)
  def end_mapping = @out << '-MAP'
  def alias(anchor) = @out << "*#{anchor}"

  def scalar(value, anchor, tag, _plain, _quoted, style)
    @out << node('=', anchor, tag) + [nil, ':', "'", '"', '|', '>'][style] + value
  end

  def node(kind, anchor, tag)
    kind + (anchor ? " &#{anchor}" : '') + (tag ? " <#{tag}>" : '')
  end
end

JSON.parse($stdin.read).each do |text|
  out = []
  begin
    Psych::Parser.new(Events.new(out)).parse(text)
  rescue Psych::SyntaxError => e
    out << 'ERROR'
    $stderr.puts e.message if ENV['VERBOSE']
  end
  puts JSON.generate(out)
end

# codec.rb - Ruby's own codecs, as Puppet uses them. Each line of the input is
# {"json": TEXT, "msgpack": HEX}, either of which may be missing, and each line of the output
# {"json": TEXT, "msgpack": HEX, "unpacked": TEXT}: the JSON parsed and generated again; that packed;
# and the MessagePack unpacked and generated as JSON. {"error": MESSAGE} where Ruby refuses.
require 'json'
require 'msgpack'

def guard
  yield
rescue StandardError => e
  { 'error' => "#{e.class}: #{e.message}" }
end

DEEP = { max_nesting: false }.freeze
$stdout.sync = true
$stdin.each_line do |line|
  question = JSON.parse(line)
  answer = {}
  if question['json']
    data = JSON.parse(question['json'], **DEEP)
    answer['json'] = JSON.generate(data, DEEP)
    answer['msgpack'] = guard { { 'hex' => MessagePack.pack(data).unpack1('H*') } }
  end
  if question['msgpack']
    answer['unpacked'] = JSON.generate(MessagePack.unpack([question['msgpack']].pack('H*')), DEEP)
  end
  puts JSON.generate(answer, DEEP)
rescue StandardError => e
  puts JSON.generate('error' => "#{e.class}: #{e.message}")
end

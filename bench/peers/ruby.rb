# ruby.rb - Ruby's own json and msgpack as a peer of pcat; peer.go describes the protocol.
require 'json'
require 'msgpack'

DEEP = { max_nesting: false }.freeze
JOBS = {
  'json-to-msgpack' => ->(data) { MessagePack.pack(JSON.parse(data, **DEEP)) },
  'msgpack-to-json' => ->(data) { JSON.generate(MessagePack.unpack(data), DEEP) },
  'decode-json' => ->(data) { JSON.parse(data, **DEEP) },
  'decode-msgpack' => ->(data) { MessagePack.unpack(data) }
}.freeze

# The latest input; a document is read once.
inputs = Hash.new do |h, path|
  h.clear
  data = File.binread(path)
  data.force_encoding('UTF-8') if path.end_with?('.json')
  h[path] = data
end

def measure(times)
  GC.start
  allocated = GC.stat(:total_allocated_objects)
  start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :nanosecond)
  result = nil
  times.times { result = yield }
  spent = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :nanosecond) - start
  [{ 'cpu_ns' => spent, 'allocs' => GC.stat(:total_allocated_objects) - allocated }, result]
end

$stdout.sync = true
$stdin.each_line do |line|
  question = JSON.parse(line)
  job = JOBS[question['job']]
  unless job
    puts '{"unsupported":true}'
    next
  end
  data = inputs[question['input']]
  answer, result = measure(question['times']) { job.call(data) }
  File.binwrite(question['output'], result) if question['output']
  puts JSON.generate(answer)
rescue StandardError => e
  puts JSON.generate('error' => "#{e.class}: #{e.message}")
end

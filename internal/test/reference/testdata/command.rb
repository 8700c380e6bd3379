# command.rb - runs commands of Puppet, one after the other, each in a fork of a process that has loaded
# Puppet: a start takes half a second.
# Each line of the input is {"folder": WORKING_DIRECTORY, "arguments": [...]}. Each line of the output is
# {"code": EXIT_CODE, "output": TEXT}.
require 'json'
require 'tempfile'
require 'puppet'
require 'puppet/application/apply'
require 'puppet/configurer'
require 'puppet/util/command_line'

$stdout.sync = true
$stdin.each_line do |line|
  question = JSON.parse(line)
  Tempfile.create('output') do |output|
    child = fork do
      $stdin.reopen(File::NULL)
      $stdout.reopen(output)
      $stderr.reopen(output)
      Dir.chdir(question['folder'])
      Puppet::Util::CommandLine.new('puppet', question['arguments']).execute
    end
    Process.wait(child)
    output.rewind
    puts JSON.generate('code' => $?.exitstatus || 255, 'output' => output.read.force_encoding('UTF-8').scrub)
  end
end

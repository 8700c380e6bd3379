package live

// configuration are the files of the servers, below the directory of [Systems].
var configuration = map[string]string{
	"pdb/conf.d/config.ini": `[global]
vardir = {{.Dir}}/pdb/var
logging-config = {{.Dir}}/pdb/logback.xml
[puppetdb]
disable-update-checking = true
[command-processing]
threads = 2
`,
	"pdb/conf.d/database.ini": `[database]
subname = //127.0.0.1:{{.PostgresPort}}/puppetdb
username = puppetdb
password = puppetdb
gc-interval = 0
maximum-pool-size = 10
`,
	"pdb/conf.d/jetty.ini": `[jetty]
host = 127.0.0.1
port = {{.PlainPort}}
ssl-host = 127.0.0.1
ssl-port = {{.TLSPort}}
ssl-cert = {{.Certificate}}
ssl-key = {{.Key}}
ssl-ca-cert = {{.CA}}
client-auth = want
`,
	"pdb/conf.d/auth.conf": `authorization: { version: 1, rules: [
    { match-request: { path: "/", type: path }, allow-unauthenticated: true, sort-order: 500, name: "all" }
] }
`,
	"pdb/logback.xml": logback("pdb"),

	"ps/conf.d/webserver.conf": `webserver: {
  client-auth: want, ssl-host: 127.0.0.1, ssl-port: {{.ServerPort}}
  ssl-cert: {{.Certificate}}, ssl-key: {{.Key}}, ssl-ca-cert: {{.CA}}, ssl-crl-path: {{.CRL}}
}
`,
	"ps/conf.d/puppetserver.conf": `jruby-puppet: {
  ruby-load-path: [/usr/lib/puppetserver/ruby/vendor_ruby, {{.Dir}}/ruby]
  gem-home: {{.Dir}}/ps/gems
  gem-path: [{{.Dir}}/ps/gems, "/usr/lib/puppetserver/vendored-jruby-gems"]
  server-conf-dir: {{.Dir}}/ps/puppet
  server-code-dir: {{.Dir}}/code
  server-var-dir: {{.Dir}}/ps/var
  server-run-dir: {{.Dir}}/ps/run
  server-log-dir: {{.Dir}}/ps/log
  max-active-instances: 1
}
http-client: { connect-timeout-milliseconds: 10000, idle-timeout-milliseconds: 15000 }
profiler: { enabled: false }
`,
	"ps/conf.d/web-routes.conf": `web-router-service: {
  "puppetlabs.services.master.master-service/master-service": "/puppet"
  "puppetlabs.services.ca.certificate-authority-disabled-service/certificate-authority-disabled-service": "/puppet-ca"
  "puppetlabs.services.puppet-admin.puppet-admin-service/puppet-admin-service": "/puppet-admin-api"
  "puppetlabs.trapperkeeper.services.status.status-service/status-service": "/status"
  "puppetlabs.trapperkeeper.services.metrics.metrics-service/metrics-webservice": "/metrics"
}
`,
	// As shipped for agents. Besides, "pcat" may compile for every node, and make the
	// server read its settings again.
	"ps/conf.d/auth.conf": `authorization: { version: 1, rules: [
    { match-request: { path: "^/puppet/v3/catalog/([^/]+)$", type: regex, method: [get, post] }
      allow: ["$1", "pcat"], sort-order: 500, name: "puppetlabs v3 catalog from agents" }
    { match-request: { path: "^/puppet/v4/catalog/?$", type: regex, method: post }
      allow: ["pcat"], sort-order: 500, name: "puppetlabs v4 catalog for services" }
    { match-request: { path: "^/puppet/v3/(node|report|facts)/([^/]+)$", type: regex, method: [get, put] }
      allow: "$2", sort-order: 500, name: "puppetlabs node" }
    { match-request: { path: "/puppet/v3/", type: path }, allow: "*", sort-order: 600, name: "files" }
    { match-request: { path: "/puppet-admin-api", type: path }, allow: ["pcat"], sort-order: 500, name: "administration" }
    { match-request: { path: "/status/v1", type: path }, allow-unauthenticated: true, sort-order: 500, name: "status" }
    { match-request: { path: "/", type: path }, deny: "*", sort-order: 999, name: "puppetlabs deny all" }
] }
`,
	"ps/conf.d/global.conf":  "global: { logging-config: {{.Dir}}/ps/logback.xml }\n",
	"ps/conf.d/metrics.conf": "metrics: { server-id: localhost, registries: { puppetserver: { reporters: { jmx: { enabled: false } } } } }\n",
	"ps/services.d/ca.cfg":   "puppetlabs.services.ca.certificate-authority-disabled-service/certificate-authority-disabled-service\n",
	"ps/services.d/bootstrap.cfg": `puppetlabs.services.request-handler.request-handler-service/request-handler-service
puppetlabs.services.jruby.jruby-puppet-service/jruby-puppet-pooled-service
puppetlabs.services.jruby-pool-manager.jruby-pool-manager-service/jruby-pool-manager-service
puppetlabs.services.puppet-profiler.puppet-profiler-service/puppet-profiler-service
puppetlabs.trapperkeeper.services.webserver.jetty9-service/jetty9-service
puppetlabs.trapperkeeper.services.webrouting.webrouting-service/webrouting-service
puppetlabs.services.config.puppet-server-config-service/puppet-server-config-service
puppetlabs.services.master.master-service/master-service
puppetlabs.services.puppet-admin.puppet-admin-service/puppet-admin-service
puppetlabs.trapperkeeper.services.authorization.authorization-service/authorization-service
puppetlabs.services.versioned-code-service.versioned-code-service/versioned-code-service
puppetlabs.trapperkeeper.services.scheduler.scheduler-service/scheduler-service
puppetlabs.trapperkeeper.services.status.status-service/status-service
puppetlabs.trapperkeeper.services.metrics.metrics-service/metrics-service
puppetlabs.trapperkeeper.services.metrics.metrics-service/metrics-webservice
puppetlabs.services.jruby.jruby-metrics-service/jruby-metrics-service
`,
	"ps/logback.xml": logback("ps"),
	"ps/puppet/puppet.conf": `[main]
confdir = {{.Dir}}/ps/puppet
codedir = {{.Dir}}/code
ssldir = {{.Dir}}/ps/ssl
localcacert = {{.CA}}
hostcert = {{.Certificate}}
hostprivkey = {{.Key}}
hostcrl = {{.CRL}}
certname = localhost
server = localhost
serverport = {{.ServerPort}}
[server]
vardir = {{.Dir}}/ps/var
rich_data = true
storeconfigs = true
reports = puppetdb
storeconfigs_backend = puppetdb
`,
	"ps/puppet/puppetdb.conf": "[main]\nserver_urls = https://localhost:{{.TLSPort}}\n",
	"ps/puppet/routes.yaml":   Routes,
}

// Routes is the text of routes.yaml at the start.
const Routes = `master:
  facts:
    terminus: puppetdb
    cache: yaml
`

// logback returns a configuration that writes a log to a file.
func logback(name string) string {
	return `<configuration><appender name="F" class="ch.qos.logback.core.FileAppender"><file>{{.Dir}}/` + name + `/log.txt</file>
<encoder><pattern>%d{ISO8601} %-5p [%t] [%c{2}] %m%n</pattern></encoder></appender>
<logger name="org.eclipse.jetty" level="warn"/><logger name="com.zaxxer.hikari" level="warn"/>
<root level="info"><appender-ref ref="F"/></root></configuration>
`
}

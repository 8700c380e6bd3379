package puppet

import (
	"slices"
	"strings"
)

// IsWellKnown reports whether a well-known module has a resource type: then a
// catalog that uses it is most likely right, even if the modules are unknown.
func IsWellKnown(typ string) bool {
	typ = strings.ToLower(typ)
	for _, family := range wellKnownFamilies {
		if strings.HasPrefix(typ, family) {
			return true
		}
	}
	return slices.Contains(wellKnown, typ)
}

// wellKnownFamilies are the beginnings of the names of types of which a module
// has many.
var wellKnownFamilies = []string{
	"azure_", "cinder_", "cs_", "docker_", "dsc_", "ec2_", "elasticsearch_", "glance_", "heat_", "icinga2_", "ironic_",
	"jenkins_", "keystone_", "mongodb_", "mysql_", "nagios_", "network_", "neutron_", "nova_", "octavia_", "openldap_",
	"openstack_", "pe_", "placement_", "postgresql_", "rabbitmq_", "rds_", "registry_", "route53_", "sensu_", "sqlserver_",
	"swift_", "vs_", "windows_", "firewalld_", "selinux_", "shellvar", "sshd_config", "zabbix_",
}

// wellKnown are types of modules of the Forge with many users.
var wellKnown = []string{
	"a2mod", "acl", "anchor", "apt_key", "archive", "cert_file", "chocolateyconfig", "chocolateyfeature",
	"chocolateysource", "concat_file", "concat_fragment", "consul_acl", "consul_policy", "consul_token",
	"datacat_collector", "datacat_fragment", "debconf", "dhparam", "dnf_module_stream", "domain_membership",
	"es_instance_conn_validator", "exim_config", "file_capability", "file_line", "filesystem", "firewall",
	"firewallchain", "foreman_config_entry", "foreman_smartproxy", "git_config", "git_deploy_key", "git_webhook",
	"grub_config", "grub_menuentry", "grub_user", "hocon_setting", "http_conn_validator", "iis_application", "iis_site",
	"influxdb_auth", "influxdb_bucket", "influxdb_org", "ini_setting", "ini_subsetting", "java_ks", "kernel_parameter",
	"keycloak_client", "keycloak_realm", "local_security_policy", "logical_volume", "loginctl_user", "mailman_list",
	"nfs_export", "nftables_rule", "pam", "physical_volume", "puppet_authorization_hocon_rule", "reboot",
	"redis_conn_validator", "remote_file", "rh_repo", "rhsm_register", "rhsm_repo", "ring_account_device",
	"ring_container_device", "ring_object_device", "rvm_gem", "rvm_gemset", "rvm_system_ruby", "ssh_config", "ssh_keygen",
	"ssl_pkey", "subscription", "swap_file", "sysctl", "sysctl_runtime", "tcp_conn_validator", "transition", "vcsrepo",
	"virtualenv", "volume_group", "wildfly_cli", "wildfly_deploy", "wildfly_resource", "windowsfeature", "x509_cert",
	"x509_request", "xml_fragment", "yum_versionlock", "yumconfig",
}

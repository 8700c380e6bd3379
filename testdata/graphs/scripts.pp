file { '/opt/report.sh': content => "#!/bin/sh\n" }
exec { '/bin/sh /opt/report.sh': }
exec { 'nightly': command => '/opt/report.sh -q', group => 'report' }
group { 'report': }

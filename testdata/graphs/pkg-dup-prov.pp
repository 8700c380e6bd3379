package { 'web': name => 'apache2', provider => apt }
package { 'apache2': }

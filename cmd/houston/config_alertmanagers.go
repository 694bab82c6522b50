package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
)

// validate says what is wrong with an endpoint; names are how alerts find theirs.
func (e EndpointConfig) validate(all *complaints, key string, names map[string]bool) {
	all.url(key+".url", e.URL)
	if names[e.Name] {
		all.add(key+".name", "%q stands twice; each needs a name of its own", e.Name)
	}
	names[e.Name] = true
	if (e.TLS.CertFile == "") != (e.TLS.KeyFile == "") {
		all.add(key+".tls", "cert_file and key_file go together; write both, or none")
	}
}

// config reads the files of a TLS section; nil for the system's own.
func (t TLSConfig) config() (*tls.Config, error) {
	if t == (TLSConfig{}) {
		return nil, nil //nolint:nilnil // none is a good answer
	}
	config := &tls.Config{
		MinVersion: tls.VersionTLS12, ServerName: t.ServerName,
		InsecureSkipVerify: t.InsecureSkipVerify, //nolint:gosec // whoever writes it wants it
	}
	if t.CAFile != "" {
		pem, err := os.ReadFile(t.CAFile)
		if err != nil {
			return nil, fmt.Errorf("read tls.ca_file: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("read tls.ca_file: %s holds no certificate", t.CAFile)
		}
	}
	if t.CertFile != "" {
		pair, err := tls.LoadX509KeyPair(t.CertFile, t.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("read tls.cert_file and tls.key_file: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

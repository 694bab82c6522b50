package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"
)

// defaultConfigFile is read where no file is named, if it is there.
const defaultConfigFile = "houston.yaml"

// loadConfig reads the YAML file at path and, over it, the environment, and
// gives only a valid Config. An empty path means ./houston.yaml if there is
// one. The error names everything that is wrong, and shows no secret.
//
// lookup is os.LookupEnv, or a test's own environment. Each key of the struct
// is looked up and set here, rather than by viper's AutomaticEnv, which reads
// the process environment (no parallel test can have its own) and drops keys
// that neither the file nor a default names. An empty variable counts as unset.
func loadConfig(path string, lookup func(string) (string, bool)) (Config, error) {
	raw, err := readConfigFile(path)
	if err != nil {
		return Config{}, err
	}
	v := viper.New()
	if err := v.MergeConfigMap(raw); err != nil {
		return Config{}, fmt.Errorf("read the configuration: %w", err)
	}
	problems := []error{unknownKeys(raw)}
	for _, key := range configKeys() {
		text, set := lookup(key.env())
		if key.inList || !set || text == "" {
			continue
		}
		value, err := envValue(key, text)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		v.Set(key.path, value)
	}
	cfg := defaultConfig()
	err = v.Unmarshal(&cfg, viper.DecodeHook(decodeHook()))
	problems = append(problems, plainDecodeErrors(err)...)
	if err := errors.Join(problems...); err != nil {
		return Config{}, err
	}
	if err := cfg.Validate(); err != nil {
		return Config{}, err
	}
	return cfg, nil
}

func readConfigFile(path string) (map[string]any, error) {
	text, err := os.ReadFile(orDefault(path, defaultConfigFile))
	switch {
	case path == "" && errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read the configuration: %w", err)
	}
	var raw any
	if err := yaml.Unmarshal(text, &raw); err != nil {
		return nil, fmt.Errorf("read the configuration: %s: %w", orDefault(path, defaultConfigFile), err)
	}
	keys, ok := raw.(map[string]any)
	if !ok && raw != nil {
		return nil, fmt.Errorf("read the configuration: %s: write keys and values, such as listen: \":8080\"", orDefault(path, defaultConfigFile))
	}
	return keys, nil
}

func orDefault(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

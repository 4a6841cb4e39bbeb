package main

import (
	"k8s.io/apimachinery/pkg/runtime"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	configv1 "k8s.io/kubernetes/pkg/scheduler/apis/config/v1"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/validation"
)

type configAnswer struct {
	// Why it cannot be read.
	Failure string `json:"failure,omitempty"`
	// What is wrong with it.
	Errors []string `json:"errors,omitempty"`
	// With its defaults, as v1.
	Config runtime.Object `json:"config,omitempty"`
}

func decodeConfig(text string) (*config.KubeSchedulerConfiguration, error) {
	if text == "" {
		return latest.Default()
	}
	object, kind, err := scheme.Codecs.UniversalDecoder().Decode([]byte(text), nil, nil)
	if err != nil {
		return nil, err
	}
	cfg := object.(*config.KubeSchedulerConfiguration)
	// As the command does: its errors name the version.
	cfg.APIVersion = kind.GroupVersion().String()
	return cfg, nil
}

func readConfig(text string) configAnswer {
	cfg, err := decodeConfig(text)
	if err != nil {
		return configAnswer{Failure: err.Error()}
	}
	var answer configAnswer
	if err := validation.ValidateKubeSchedulerConfiguration(cfg); err != nil {
		if aggregate, ok := err.(utilerrors.Aggregate); ok {
			for _, one := range utilerrors.Flatten(aggregate).Errors() {
				answer.Errors = append(answer.Errors, one.Error())
			}
		} else {
			answer.Errors = append(answer.Errors, err.Error())
		}
		return answer
	}
	encoded, err := runtime.Encode(scheme.Codecs.LegacyCodec(configv1.SchemeGroupVersion), cfg)
	if err != nil {
		return configAnswer{Failure: err.Error()}
	}
	answer.Config = &runtime.Unknown{Raw: encoded, ContentType: runtime.ContentTypeJSON}
	return answer
}

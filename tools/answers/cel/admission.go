package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/library"
	"k8s.io/apiserver/pkg/cel/mutation"
)

// admissionOptions are what mutating admission policies have besides the base environment.
func admissionOptions() []cel.EnvOption {
	return []cel.EnvOption{
		cel.Variable("authorizer", library.AuthorizerType),
		cel.Variable("authorizer.requestResource", library.ResourceCheckType),
		library.JSONPatch(),
		common.ResolverEnvOption(&mutation.DynamicTypeResolver{}),
	}
}

func bindAuthorizer(activation map[string]any) {
	me := &user.DefaultInfo{Name: "me", Groups: []string{"team"}}
	activation["authorizer"] = library.NewAuthorizerVal(me, echo{})
	activation["authorizer.requestResource"] = library.NewResourceAuthorizerVal(me, echo{}, requested{})
}

// echo allows "get", fails for "fail", denies anything else; the reason is what was asked.
type echo struct{}

func (echo) Authorize(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	reason := fmt.Sprintf("%s %v %s %v %s %s %s %s %s %s", a.GetUser().GetName(), a.GetUser().GetGroups(), a.GetVerb(), a.IsResourceRequest(),
		a.GetPath(), a.GetAPIGroup(), a.GetResource(), a.GetSubresource(), a.GetNamespace(), a.GetName())
	switch a.GetVerb() {
	case "get":
		return authorizer.DecisionAllow, reason, nil
	case "fail":
		return authorizer.DecisionNoOpinion, reason, errors.New("it failed")
	}
	return authorizer.DecisionDeny, reason, nil
}

type requested struct{}

func (requested) GetName() string        { return "web" }
func (requested) GetNamespace() string   { return "shop" }
func (requested) GetSubresource() string { return "scale" }
func (requested) GetResource() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
}

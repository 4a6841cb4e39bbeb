package v1

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

type ShapesSpec struct {
	Text         string  `json:"text"`
	OptionalText string  `json:"optionalText,omitempty"`
	Pointer      *string `json:"pointer,omitempty"`
	Flag         bool    `json:"flag,omitempty"`
	Int32        int32   `json:"int32,omitempty"`
	Int64        int64   `json:"int64,omitempty"`
	Integer      int     `json:"integer,omitempty"`
	Number       float64 `json:"number,omitempty"`
	// A described member.
	Described string `json:"described,omitempty"`
	// The first line,
	// and a second one.
	//
	// Another paragraph.
	Paragraphs string `json:"paragraphs,omitempty"`

	Bytes   []byte              `json:"bytes,omitempty"`
	Texts   []string            `json:"texts,omitempty"`
	Lists   [][]string          `json:"lists,omitempty"`
	Map     map[string]string   `json:"map,omitempty"`
	MapList map[string][]string `json:"mapList,omitempty"`
	// A map of structs.
	MapStruct map[string]Nested `json:"mapStruct,omitempty"`
	Nested    Nested            `json:"nested,omitempty"`
	// Words of the member go first.
	DescribedNested DescribedNested `json:"describedNested,omitempty"`
	PlainDescribed  DescribedNested `json:"plainDescribed,omitempty"`
	Structs         []Nested        `json:"structs,omitempty"`
	Embedding       Embedding       `json:"embedding,omitempty"`
	Generic         StringPage      `json:"generic,omitempty"`
	Empty           Empty           `json:"empty,omitempty"`

	// +kubebuilder:validation:Enum=A;B;C
	Enum string `json:"enum,omitempty"`
	// +kubebuilder:validation:Enum=1;2
	IntegerEnum int    `json:"integerEnum,omitempty"`
	NamedEnum   Colour `json:"namedEnum,omitempty"`
	// +kubebuilder:default=red
	DefaultEnum Colour `json:"defaultEnum,omitempty"`

	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=10
	Bounded int32 `json:"bounded,omitempty"`
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:ExclusiveMinimum=true
	Positive int32 `json:"positive,omitempty"`
	// +kubebuilder:validation:MultipleOf=5
	Fives int32 `json:"fives,omitempty"`
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Length string `json:"length,omitempty"`
	// +kubebuilder:validation:Pattern=`^[a-z]+$`
	Pattern string `json:"pattern,omitempty"`
	// +kubebuilder:validation:Format=uri
	Format string `json:"format,omitempty"`
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=8
	Items []string `json:"items,omitempty"`
	// +kubebuilder:validation:items:MaxLength=20
	// +kubebuilder:validation:items:Pattern=`^a`
	ItemMarkers []string `json:"itemMarkers,omitempty"`
	// +kubebuilder:validation:MinProperties=1
	// +kubebuilder:validation:MaxProperties=4
	Properties map[string]string `json:"properties,omitempty"`
	// +nullable
	Nullable *string `json:"nullable,omitempty"`
	// +kubebuilder:default=3
	DefaultNumber int32 `json:"defaultNumber,omitempty"`
	// +kubebuilder:default=true
	DefaultFlag bool `json:"defaultFlag,omitempty"`
	// +kubebuilder:default={"name":"a"}
	DefaultStruct Nested `json:"defaultStruct,omitempty"`
	// +kubebuilder:default={"a","b"}
	DefaultList []string `json:"defaultList,omitempty"`
	// +kubebuilder:example=yes
	Example string `json:"example,omitempty"`
	// +kubebuilder:title=A title
	Title string `json:"title,omitempty"`
	// +listType=set
	Set []string `json:"set,omitempty"`
	// +listType=map
	// +listMapKey=name
	ListMap []Nested `json:"listMap,omitempty"`
	// +listType=atomic
	AtomicList []string `json:"atomicList,omitempty"`
	// +mapType=atomic
	AtomicMap map[string]string `json:"atomicMap,omitempty"`
	// +structType=atomic
	AtomicStruct Empty `json:"atomicStruct,omitempty"`
	Port         Port  `json:"port,omitempty"`

	// +kubebuilder:validation:XValidation:rule="self.name != ''",message="needs a name"
	Rule Nested `json:"rule,omitempty"`
	// +kubebuilder:validation:XValidation:rule="!oldSelf.hasValue() || self.name == oldSelf.value().name",message="is fixed",reason="FieldValueForbidden",fieldPath=".name",optionalOldSelf=true
	RuleInFull Nested  `json:"ruleInFull,omitempty"`
	OneOf      Choice  `json:"oneOf,omitempty"`
	Rules      Limited `json:"rules,omitempty"`

	// +kubebuilder:pruning:PreserveUnknownFields
	Open Empty `json:"open,omitempty"`
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:EmbeddedResource
	Embedded runtime.RawExtension `json:"embedded,omitempty"`
	// +optional
	MarkedOptional string `json:"markedOptional"`
	// +required
	MarkedRequired string `json:"markedRequired,omitempty"`

	Quantity    resource.Quantity    `json:"quantity,omitempty"`
	IntOrString intstr.IntOrString   `json:"intOrString,omitempty"`
	Time        metav1.Time          `json:"time,omitempty"`
	MicroTime   metav1.MicroTime     `json:"microTime,omitempty"`
	Duration    metav1.Duration      `json:"duration,omitempty"`
	JSON        apiextensionsv1.JSON `json:"json,omitempty"`
	Raw         runtime.RawExtension `json:"raw,omitempty"`

	BuiltInSelector    *metav1.LabelSelector             `json:"builtInSelector,omitempty"`
	BuiltInConditions  []metav1.Condition                `json:"builtInConditions,omitempty"`
	BuiltInResources   corev1.ResourceRequirements       `json:"builtInResources,omitempty"`
	BuiltInList        corev1.ResourceList               `json:"builtInList,omitempty"`
	BuiltInEnv         []corev1.EnvVar                   `json:"builtInEnv,omitempty"`
	BuiltInTemplate    corev1.PodTemplateSpec            `json:"builtInTemplate,omitempty"`
	BuiltInPolicy      corev1.PullPolicy                 `json:"builtInPolicy,omitempty"`
	BuiltInReference   corev1.LocalObjectReference       `json:"builtInReference,omitempty"`
	BuiltInMetrics     []autoscalingv2.MetricSpec        `json:"builtInMetrics,omitempty"`
	BuiltInRules       []rbacv1.PolicyRule               `json:"builtInRules,omitempty"`
	BuiltInTolerations []corev1.Toleration               `json:"builtInTolerations,omitempty"`
	BuiltInService     corev1.ServiceSpec                `json:"builtInService,omitempty"`
	BuiltInClaim       *corev1.PersistentVolumeClaimSpec `json:"builtInClaim,omitempty"`
}

type Nested struct {
	Name string `json:"name"`
	// A number.
	Number int32 `json:"number,omitempty"`
}

// DescribedNested has words of its own.
type DescribedNested struct {
	Name string `json:"name"`
}

type Embedding struct {
	Nested `json:",inline"`
	More   string `json:"more"`
}

type StringPage struct {
	Items []string `json:"items"`
	Next  string   `json:"next,omitempty"`
}

type Empty struct{}

// +kubebuilder:validation:Enum=red;green
type Colour string

// +kubebuilder:validation:Minimum=1
// +kubebuilder:validation:Maximum=65535
type Port int32

// +kubebuilder:validation:ExactlyOneOf=file;url
// +kubebuilder:validation:AtMostOneOf=a;b
// +kubebuilder:validation:AtLeastOneOf=a;file;url
type Choice struct {
	File string `json:"file,omitempty"`
	URL  string `json:"url,omitempty"`
	A    string `json:"a,omitempty"`
	B    string `json:"b,omitempty"`
}

// +kubebuilder:validation:XValidation:rule="self.min <= self.max",messageExpression="'min is above max'"
type Limited struct {
	Min int32 `json:"min"`
	Max int32 `json:"max"`
}

import type { Base64, Duration, IntOrString, JsonValue, MicroTime, Quantity, RawExtension, Time } from "@coxswain/api";
import type * as autoscaling from "@coxswain/api/autoscaling/v2";
import type {
  EnvVar,
  LocalObjectReference,
  PersistentVolumeClaimSpec,
  PodTemplateSpec,
  PullPolicy,
  ResourceList,
  ResourceRequirements,
  ServiceSpec,
  Toleration,
} from "@coxswain/api/core/v1";
import type { Condition, LabelSelector } from "@coxswain/api/meta/v1";
import type { PolicyRule } from "@coxswain/api/rbac/v1";
import type { Int32, Int64, Integer, KubernetesObject } from "@coxswain/schema-types";

export interface ShapesSpec {
  text: string;
  optionalText?: string;
  pointer?: string | undefined;
  flag?: boolean;
  int32?: Int32;
  int64?: Int64;
  integer?: Integer;
  number?: number;
  /** A described member. */
  described?: string;
  /**
   * The first line,
   * and a second one.
   *
   * Another paragraph.
   */
  paragraphs?: string;

  bytes?: Base64;
  texts?: string[];
  lists?: readonly (readonly string[])[];
  map?: Record<string, string>;
  mapList?: { [name: string]: string[] };
  /** A map of structs. */
  mapStruct?: Record<string, Nested>;
  nested?: Nested;
  /** Words of the member go first. */
  describedNested?: DescribedNested;
  plainDescribed?: DescribedNested;
  structs?: Array<Nested>;
  embedding?: Embedding;
  generic?: Page<string>;
  empty?: Empty;

  enum?: "A" | "B" | "C";
  integerEnum?: 1 | 2;
  namedEnum?: Colour;
  /** @default red */
  defaultEnum?: Colour;

  /**
   * @minimum 1
   * @maximum 10
   */
  bounded?: Int32;
  /** @exclusiveMinimum 0 */
  positive?: Int32;
  /** @multipleOf 5 */
  fives?: Int32;
  /**
   * @minLength 1
   * @maxLength 63
   */
  length?: string;
  /** @pattern ^[a-z]+$ */
  pattern?: string;
  /** @format uri */
  format?: string;
  /**
   * @minItems 1
   * @maxItems 8
   */
  items?: string[];
  /**
   * @items.maxLength 20
   * @items.pattern ^a
   */
  itemMarkers?: string[];
  /**
   * @minProperties 1
   * @maxProperties 4
   */
  properties?: Record<string, string>;
  nullable?: string | null;
  /** @default 3 */
  defaultNumber?: Int32;
  /** @default true */
  defaultFlag?: boolean;
  /** @default {"name":"a"} */
  defaultStruct?: Nested;
  /** @default ["a","b"] */
  defaultList?: string[];
  /** @example yes */
  example?: string;
  /** @title A title */
  title?: string;
  /** @listType set */
  set?: string[];
  /**
   * @listType map
   * @listMapKey name
   */
  listMap?: Nested[];
  /** @listType atomic */
  atomicList?: string[];
  /** @mapType atomic */
  atomicMap?: Record<string, string>;
  /** @structType atomic */
  atomicStruct?: Empty;
  port?: Port;

  /** @cel rule="self.name != ''" message="needs a name" */
  rule?: Nested;
  /** @cel rule="!oldSelf.hasValue() || self.name == oldSelf.value().name" message="is fixed" reason=FieldValueForbidden fieldPath=.name optionalOldSelf */
  ruleInFull?: Nested;
  oneOf?: Choice;
  rules?: Limited;

  /** @preserveUnknownFields */
  open?: Empty;
  embedded?: KubernetesObject;
  /** @optional */
  markedOptional: string;
  /** @required */
  markedRequired?: string;

  quantity?: Quantity;
  intOrString?: IntOrString;
  time?: Time;
  microTime?: MicroTime;
  duration?: Duration;
  json?: JsonValue;
  raw?: RawExtension;

  builtInSelector?: LabelSelector;
  builtInConditions?: Condition[];
  builtInResources?: ResourceRequirements;
  builtInList?: ResourceList;
  builtInEnv?: EnvVar[];
  builtInTemplate?: PodTemplateSpec;
  builtInPolicy?: PullPolicy;
  builtInReference?: LocalObjectReference;
  builtInMetrics?: autoscaling.MetricSpec[];
  builtInRules?: PolicyRule[];
  builtInTolerations?: Toleration[];
  builtInService?: ServiceSpec;
  builtInClaim?: PersistentVolumeClaimSpec;
}

interface Nested {
  name: string;
  /** A number. */
  number?: Int32;
}

/** DescribedNested has words of its own. */
interface DescribedNested {
  name: string;
}

interface Embedding extends Nested {
  more: string;
}

interface Page<T> {
  items: T[];
  next?: T;
}

interface Empty {}

type Colour = "red" | "green";

/**
 * @minimum 1
 * @maximum 65535
 */
type Port = Int32;

/**
 * @exactlyOneOf file,url
 * @atMostOneOf a,b
 * @atLeastOneOf a,file,url
 */
interface Choice {
  file?: string;
  url?: string;
  a?: string;
  b?: string;
}

/** @cel rule="self.min <= self.max" messageExpression="'min is above max'" */
interface Limited {
  min: Int32;
  max: Int32;
}

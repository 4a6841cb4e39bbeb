import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceColumnDefinition, CustomResourceSubresourceScale } from "@coxswain/api/apiextensions/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { Strategy, UpdateStrategy } from "../definition/strategy.js";

/**
 * A structural schema, as a CustomResourceDefinition has it (OpenAPI 3 with Kubernetes' extensions, CEL rules included), without
 * `apiVersion`, `kind` and `metadata`, which every object has. Parts in `$defs` may be referred to (`{ $ref: "#/$defs/Name" }`);
 * documents publish them under their names.
 */
export type ApiSchema = Readonly<Record<string, unknown>>;

/** What is done to objects before they are stored, beside what the schema asks for. Objects are in the hub version. */
export type ApiStrategy<T> = Omit<Strategy<T>, "resetFields">;

/** A kind of objects that a server of one's own serves, in all its versions. `T` is the object in the hub version. */
export interface ApiKind<T extends KubernetesObject = KubernetesObject> {
  readonly kind: string;
  /** As in paths. @default the plural of `kind` */
  readonly plural?: string;
  /** @default `kind` in lower case */
  readonly singular?: string;
  /** @default none */
  readonly shortNames?: readonly string[];
  /** @default none */
  readonly categories?: readonly string[];
  readonly scope: "Namespaced" | "Cluster";
  readonly versions: readonly ApiVersion<T>[];
  /** The version that is stored, and that strategies and admission see; it stays the same as long as objects are stored. @default the only version */
  readonly hub?: string;
  /** Columns of `kubectl get`; their paths are of the hub version. @default the time of creation */
  readonly columns?: readonly DeepReadonly<CustomResourceColumnDefinition>[];
  /** JSON paths of the hub version (".spec.guest") that field selectors may name beside those of metadata. @default none */
  readonly selectableFields?: readonly string[];
  /** The subresource `status`: the member of that name is written through it alone, and `metadata.generation` counts changes of the rest. @default there is none */
  readonly status?: boolean | Omit<UpdateStrategy<T>, "resetFields">;
  /** The subresource `scale`, for `kubectl scale` and autoscalers: where the hub version has its replicas, as in a CustomResourceDefinition. @default there is none */
  readonly scale?: DeepReadonly<CustomResourceSubresourceScale>;
  /** What discovery lists of subresources beside these, by name. @default there are none */
  readonly subresources?: Readonly<Record<string, SubresourceFacts>>;
  /** What can be done, in discovery's words, where that is not everything: of resources that are not stored. @default all verbs */
  readonly verbs?: readonly string[];
  /** @default what the schema asks for is all that is checked */
  readonly strategy?: ApiStrategy<T>;
}

export interface SubresourceFacts {
  /** The kind of its bodies and answers. @default the kind itself */
  readonly kind?: { readonly group: string; readonly version: string; readonly kind: string };
  readonly verbs: readonly string[];
}

/** One version of a kind. */
export interface ApiVersion<T extends KubernetesObject = KubernetesObject> {
  /** "v1", "v1beta2". */
  readonly name: string;
  readonly schema: ApiSchema;
  /** @default true */
  readonly served?: boolean;
  /** Clients are warned of it; a text is the warning. @default false */
  readonly deprecated?: boolean | string;
  /** Sets what the client left out and the schema has no default for. Changes the object in place; runs after every decode. */
  setDefaults?(object: KubernetesObject): void;
  /** For every version but the hub. Leaves what it is given as it is; `apiVersion` is set afterwards. */
  toHub?(object: DeepReadonly<KubernetesObject>): DeepReadonly<T>;
  fromHub?(object: DeepReadonly<T>): DeepReadonly<KubernetesObject>;
}

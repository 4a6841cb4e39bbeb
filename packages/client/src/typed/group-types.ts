import type { ResourceTypes } from "@coxswain/api/types";
import type { ResourceClient } from "../resource/index.js";

/** A client of the resource: in a namespace, or in all of them. Of the cluster's resources there is just one. */
export type ResourceAccess<Facts> = Facts extends { scope: "Namespaced"; type: infer T extends object }
  ? (namespace?: string) => ResourceClient<T>
  : Facts extends { type: infer T extends object }
    ? () => ResourceClient<T>
    : never;

type Version<G extends keyof ResourceTypes, V extends keyof ResourceTypes[G]> = {
  readonly [R in keyof ResourceTypes[G][V]]: ResourceAccess<ResourceTypes[G][V][R]>;
};

// Interfaces and not one mapped type, so that an editor and the compiler name them: a resource that is not there "does not exist on type 'CoreV1'".
export interface AdmissionregistrationV1 extends Version<"admissionregistration", "v1"> {}
export interface AdmissionregistrationV1alpha1 extends Version<"admissionregistration", "v1alpha1"> {}
export interface AdmissionregistrationV1beta1 extends Version<"admissionregistration", "v1beta1"> {}
export interface ApiextensionsV1 extends Version<"apiextensions", "v1"> {}
export interface ApiregistrationV1 extends Version<"apiregistration", "v1"> {}
export interface ApiserverinternalV1alpha1 extends Version<"apiserverinternal", "v1alpha1"> {}
export interface AppsV1 extends Version<"apps", "v1"> {}
export interface AuthenticationV1 extends Version<"authentication", "v1"> {}
export interface AuthorizationV1 extends Version<"authorization", "v1"> {}
export interface AutoscalingV1 extends Version<"autoscaling", "v1"> {}
export interface AutoscalingV2 extends Version<"autoscaling", "v2"> {}
export interface BatchV1 extends Version<"batch", "v1"> {}
export interface CertificatesV1 extends Version<"certificates", "v1"> {}
export interface CertificatesV1alpha1 extends Version<"certificates", "v1alpha1"> {}
export interface CertificatesV1beta1 extends Version<"certificates", "v1beta1"> {}
export interface CoordinationV1 extends Version<"coordination", "v1"> {}
export interface CoordinationV1alpha2 extends Version<"coordination", "v1alpha2"> {}
export interface CoordinationV1beta1 extends Version<"coordination", "v1beta1"> {}
export interface CoreV1 extends Version<"core", "v1"> {}
export interface DiscoveryV1 extends Version<"discovery", "v1"> {}
export interface EventsV1 extends Version<"events", "v1"> {}
export interface FlowcontrolV1 extends Version<"flowcontrol", "v1"> {}
export interface NetworkingV1 extends Version<"networking", "v1"> {}
export interface NetworkingV1beta1 extends Version<"networking", "v1beta1"> {}
export interface NodeV1 extends Version<"node", "v1"> {}
export interface PolicyV1 extends Version<"policy", "v1"> {}
export interface RbacV1 extends Version<"rbac", "v1"> {}
export interface ResourceV1 extends Version<"resource", "v1"> {}
export interface ResourceV1alpha3 extends Version<"resource", "v1alpha3"> {}
export interface ResourceV1beta1 extends Version<"resource", "v1beta1"> {}
export interface ResourceV1beta2 extends Version<"resource", "v1beta2"> {}
export interface SchedulingV1 extends Version<"scheduling", "v1"> {}
export interface SchedulingV1alpha2 extends Version<"scheduling", "v1alpha2"> {}
export interface StorageV1 extends Version<"storage", "v1"> {}
export interface StorageV1beta1 extends Version<"storage", "v1beta1"> {}
export interface StoragemigrationV1beta1 extends Version<"storagemigration", "v1beta1"> {}

export interface AdmissionregistrationGroup {
  readonly v1: AdmissionregistrationV1;
  readonly v1alpha1: AdmissionregistrationV1alpha1;
  readonly v1beta1: AdmissionregistrationV1beta1;
}
export interface ApiextensionsGroup {
  readonly v1: ApiextensionsV1;
}
export interface ApiregistrationGroup {
  readonly v1: ApiregistrationV1;
}
export interface ApiserverinternalGroup {
  readonly v1alpha1: ApiserverinternalV1alpha1;
}
export interface AppsGroup {
  readonly v1: AppsV1;
}
export interface AuthenticationGroup {
  readonly v1: AuthenticationV1;
}
export interface AuthorizationGroup {
  readonly v1: AuthorizationV1;
}
export interface AutoscalingGroup {
  readonly v1: AutoscalingV1;
  readonly v2: AutoscalingV2;
}
export interface BatchGroup {
  readonly v1: BatchV1;
}
export interface CertificatesGroup {
  readonly v1: CertificatesV1;
  readonly v1alpha1: CertificatesV1alpha1;
  readonly v1beta1: CertificatesV1beta1;
}
export interface CoordinationGroup {
  readonly v1: CoordinationV1;
  readonly v1alpha2: CoordinationV1alpha2;
  readonly v1beta1: CoordinationV1beta1;
}
export interface CoreGroup {
  readonly v1: CoreV1;
}
export interface DiscoveryGroup {
  readonly v1: DiscoveryV1;
}
export interface EventsGroup {
  readonly v1: EventsV1;
}
export interface FlowcontrolGroup {
  readonly v1: FlowcontrolV1;
}
export interface NetworkingGroup {
  readonly v1: NetworkingV1;
  readonly v1beta1: NetworkingV1beta1;
}
export interface NodeGroup {
  readonly v1: NodeV1;
}
export interface PolicyGroup {
  readonly v1: PolicyV1;
}
export interface RbacGroup {
  readonly v1: RbacV1;
}
export interface ResourceGroup {
  readonly v1: ResourceV1;
  readonly v1alpha3: ResourceV1alpha3;
  readonly v1beta1: ResourceV1beta1;
  readonly v1beta2: ResourceV1beta2;
}
export interface SchedulingGroup {
  readonly v1: SchedulingV1;
  readonly v1alpha2: SchedulingV1alpha2;
}
export interface StorageGroup {
  readonly v1: StorageV1;
  readonly v1beta1: StorageV1beta1;
}
export interface StoragemigrationGroup {
  readonly v1beta1: StoragemigrationV1beta1;
}

/**
 * Every built-in resource by group, version and name as they stand in its path: `core.v1.pods`, `apps.v1.deployments`.
 * Groups go by their first word: `networking` is networking.k8s.io.
 */
export interface TypedGroups {
  readonly admissionregistration: AdmissionregistrationGroup;
  readonly apiextensions: ApiextensionsGroup;
  readonly apiregistration: ApiregistrationGroup;
  readonly apiserverinternal: ApiserverinternalGroup;
  readonly apps: AppsGroup;
  readonly authentication: AuthenticationGroup;
  readonly authorization: AuthorizationGroup;
  readonly autoscaling: AutoscalingGroup;
  readonly batch: BatchGroup;
  readonly certificates: CertificatesGroup;
  readonly coordination: CoordinationGroup;
  readonly core: CoreGroup;
  readonly discovery: DiscoveryGroup;
  readonly events: EventsGroup;
  readonly flowcontrol: FlowcontrolGroup;
  readonly networking: NetworkingGroup;
  readonly node: NodeGroup;
  readonly policy: PolicyGroup;
  readonly rbac: RbacGroup;
  readonly resource: ResourceGroup;
  readonly scheduling: SchedulingGroup;
  readonly storage: StorageGroup;
  readonly storagemigration: StoragemigrationGroup;
}

/** What the generated table has and this file has not, as an error of the compiler here. */
type Missing = {
  [G in keyof ResourceTypes]: G extends keyof TypedGroups ? Exclude<keyof ResourceTypes[G], keyof TypedGroups[G]> : G;
}[keyof ResourceTypes];
export const hasAllVersions: [Missing] extends [never] ? true : Missing = true;

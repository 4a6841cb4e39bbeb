import type { DeepReadonly } from "@coxswain/api";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
} from "@coxswain/api/apiextensions/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";

export type Definition = DeepReadonly<CustomResourceDefinition & KubernetesObject>;
export type VersionSpec = DeepReadonly<CustomResourceDefinitionVersion>;
export type ScaleSubresource = DeepReadonly<CustomResourceSubresourceScale>;

import type { Condition } from "@coxswain/api/meta/v1";
import type { CustomResource, Int32, KubernetesObject } from "@coxswain/schema-types";
import type { ShapesSpec } from "./shapes.js";

/**
 * Shapes has one member for each form of a type.
 * @group example.com
 * @resource plural=shapes
 */
export interface Shapes extends CustomResource<ShapesSpec> {}

/**
 * Versioned has two versions.
 * @resource
 * @storageVersion
 */
export interface Versioned extends CustomResource<{ new: string }> {}

/**
 * Policy has everything that markers say of a kind.
 * @resource scope=Cluster shortNames=pol;p categories=all;policies
 * @subresource status
 * @scale spec=.spec.replicas status=.status.replicas selector=.status.selector
 * @printColumn Phase path=.status.phase
 * @printColumn "Age of it" type=date path=.metadata.creationTimestamp priority=1 description="since it was made"
 * @printColumn Count type=integer format=int32 path=.spec.replicas
 * @selectableField .spec.color
 * @labels team=media
 * @annotations note=yes
 * @cel rule="self.metadata.name.size() < 20" message="too long"
 */
export interface Policy extends KubernetesObject {
  spec?: PolicySpec;
  /** What is. */
  status?: PolicyStatus;
}

/** PolicySpec is what is wanted. */
interface PolicySpec {
  color?: string;
  replicas?: Int32;
}

interface PolicyStatus {
  phase?: string;
  replicas?: Int32;
  selector?: string;
  /**
   * @listType map
   * @listMapKey type
   */
  conditions?: Condition[];
}

/**
 * Library has another plural.
 * @resource plural=libs singular=lib
 */
export interface Library extends KubernetesObject {}

import type { ServedGroup, ServedResource } from "@coxswain/apimachinery/rest-mapper";

/** A resource as discovery describes it; subresources are entries of their own, named "pods/log". */
export interface DiscoveredResource extends ServedResource {
  /** Of what is sent and received, where it is not the resource's own: `deployments/scale` is autoscaling/v1. */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
  readonly storageVersionHash?: string;
}

export interface DiscoveredGroup extends ServedGroup {
  readonly versions: readonly { readonly version: string; readonly resources: readonly DiscoveredResource[] }[];
}

/** Everything that a server serves. */
export interface ApiSurface {
  /** By priority: the core group first. */
  readonly groups: readonly DiscoveredGroup[];
  /** Versions that could not be asked about: an aggregated API whose server is down. Their resources are missing above. */
  readonly failed: readonly { readonly group: string; readonly version: string; readonly message: string }[];
}

import type { AnyKind } from "@coxswain/kinds";
import type { Handler } from "../request/filter.js";
import type { RequestInfo } from "../request/request-info.js";

/** Where a request for a resource leads. */
export type Route =
  /** To the objects of a kind: a hub, another version of one (a VersionKind), or one version of a custom resource. */
  | { readonly as: "resource"; readonly kind: AnyKind }
  /** To somebody who takes over: an aggregated API server. */
  | { readonly as: "delegate"; readonly handle: Handler };

/** One source of APIs: the built-in kinds, the custom resources, or the aggregated API servers. */
export interface ApiSource {
  /** Undefined: not served here; the next source is asked. */
  resolve(info: RequestInfo): Route | undefined;
  /** Whether any version of the group is served here. */
  hasGroup(group: string): boolean;
  /** What discovery and OpenAPI describe: one definition per version. */
  kinds(): readonly AnyKind[];
}

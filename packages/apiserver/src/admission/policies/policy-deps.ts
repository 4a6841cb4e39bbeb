import type { Runtime } from "@coxswain/runtime";
import type { Authorizer } from "../../authorization/attributes.js";
import type { CacheFeed } from "../../cache/cache-feed.js";
import type { Catalogue } from "../../catalogue/catalogue.js";
import type { LazyPolicyEngine } from "./engine/lazy-policy-engine.js";
import type { PolicyMetrics } from "./policy-metrics.js";

/** What the server lends to admission policies. */
export interface PolicyDeps {
  readonly feed: CacheFeed;
  readonly authorizer: Authorizer;
  readonly catalogue: Pick<Catalogue, "generation" | "kinds">;
  readonly runtime: Runtime;
  readonly policyEngine: LazyPolicyEngine;
  /** @default nothing is counted */
  readonly policyMetrics?: PolicyMetrics;
}

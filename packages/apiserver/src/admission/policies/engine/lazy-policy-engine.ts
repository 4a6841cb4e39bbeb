import { createLazyModule, type LazyModule } from "@coxswain/runtime/lazy-module";
import type { PolicyEngine } from "./policy-engine.js";

/** The engine of policies. A server without policies never needs CEL. */
export type LazyPolicyEngine = LazyModule<PolicyEngine>;

export const createLazyPolicyEngine = (): LazyPolicyEngine =>
  createLazyModule(() => import("./policy-engine.js").then(({ createPolicyEngine }) => createPolicyEngine()));

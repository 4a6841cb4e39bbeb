import type { PolicyEngine } from "./policy-engine.js";

/** The engine of policies. CEL is large, and a server without policies never needs it. */
export interface LazyPolicyEngine {
  /** Undefined until it was loaded once. */
  readonly loaded: PolicyEngine | undefined;
  load(): Promise<PolicyEngine>;
}

export function createLazyPolicyEngine(): LazyPolicyEngine {
  let loading: Promise<PolicyEngine> | undefined;
  let loaded: PolicyEngine | undefined;
  return {
    get loaded() {
      return loaded;
    },
    load: () =>
      (loading ??= import("./policy-engine.js").then(({ createPolicyEngine }) => (loaded = createPolicyEngine()))),
  };
}

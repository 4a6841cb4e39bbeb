import type { DeepReadonly } from "@coxswain/api";
import type {
  MatchResources,
  MutatingAdmissionPolicySpec,
  ParamRef,
  ValidatingAdmissionPolicySpec,
} from "@coxswain/api/admissionregistration/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { Lister } from "../../cache/lister.js";

/** A policy of either kind, as it is stored. */
export interface Policy<Spec extends ValidatingAdmissionPolicySpec | MutatingAdmissionPolicySpec>
  extends KubernetesObject {
  readonly spec: DeepReadonly<Spec>;
}

/** A binding of either kind, as it is stored. */
export interface Binding extends KubernetesObject {
  readonly spec: {
    readonly policyName?: string;
    readonly paramRef?: DeepReadonly<ParamRef>;
    readonly matchResources?: DeepReadonly<MatchResources>;
    /** Of validating policies. */
    readonly validationActions?: readonly string[];
  };
}

/** A policy with those who use it: one that is not bound does nothing. */
export interface PolicyHook<P> {
  readonly policy: P;
  readonly bindings: readonly Binding[];
}

/** The policies in force, by name, each with its bindings by name. Made anew when a policy or binding has changed. */
export function createPolicyHooks<P extends KubernetesObject>(
  policies: { readonly lister: Lister<P>; readonly prefix: string },
  bindings: { readonly lister: Lister<Binding>; readonly prefix: string },
): () => readonly PolicyHook<P>[] {
  let known:
    | { readonly policies: object; readonly bindings: object; readonly hooks: readonly PolicyHook<P>[] }
    | undefined;
  return () => {
    const state = { policies: policies.lister.state(), bindings: bindings.lister.state() };
    if (known?.policies !== state.policies || known.bindings !== state.bindings) {
      const byPolicy = new Map<string, Binding[]>();
      for (const binding of bindings.lister.list(bindings.prefix)) {
        const { policyName = "" } = binding.spec;
        const found = byPolicy.get(policyName);
        if (found) found.push(binding);
        else byPolicy.set(policyName, [binding]);
      }
      const hooks =
        byPolicy.size === 0
          ? []
          : [...policies.lister.list(policies.prefix)].flatMap((policy) => {
              const bound = byPolicy.get(policy.metadata.name ?? "");
              return bound ? [{ policy, bindings: bound }] : [];
            });
      known = { ...state, hooks };
    }
    return known.hooks;
  };
}

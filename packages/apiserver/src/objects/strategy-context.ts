import { formatGroupVersion } from "@coxswain/apimachinery/meta";
import type { StrategyContext } from "@coxswain/kinds";
import { namespaceKind } from "@coxswain/kinds/core/namespace";
import { objectKey } from "../cache/object-key.js";
import type { ObjectDeps } from "./object-deps.js";
import type { WriteScope } from "./write-scope.js";

/** What a kind's rules may know of the write. */
export function strategyContext(deps: ObjectDeps, { kind, version, user, warn }: WriteScope): StrategyContext {
  const ruleCompiler = deps.ruleCompiler?.();
  const admissionCompiler = deps.admissionCompiler?.();
  const compileDeviceSelector = deps.compileDeviceSelector?.();
  return {
    now: deps.runtime.clock.now(),
    gates: deps.gates,
    allowPrivileged: deps.allowPrivileged,
    user,
    warn,
    apiVersion: formatGroupVersion(version ?? kind),
    namespaceLabels(name) {
      const entry = deps.feed.cacheOf(namespaceKind).get(objectKey(namespaceKind, "", name));
      return entry && ((entry.labels ?? {}) as Readonly<Record<string, string>>);
    },
    ...(ruleCompiler && { ruleCompiler }),
    ...(admissionCompiler && { admissionCompiler }),
    ...(compileDeviceSelector && { compileDeviceSelector }),
  };
}

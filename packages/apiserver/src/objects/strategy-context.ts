import { formatGroupVersion } from "@coxswain/apimachinery/meta";
import type { StrategyContext } from "@coxswain/kinds";
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
    ...(deps.namespaceLabels && { namespaceLabels: deps.namespaceLabels }),
    ...(ruleCompiler && { ruleCompiler }),
    ...(admissionCompiler && { admissionCompiler }),
    ...(compileDeviceSelector && { compileDeviceSelector }),
  };
}

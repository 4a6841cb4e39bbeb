import type { RuntimeCondition, RuntimeStatus } from "../runtime/container-runtime.js";

/**
 * Pure: why a node takes no pods, from what its runtime reports; undefined: it does not answer. Upstream's `pkg/kubelet/kubelet.go`,
 * `updateRuntimeUp`, and `pkg/kubelet/runtime.go`.
 */
export function runtimeProblems(status: RuntimeStatus | undefined): string[] {
  if (!status) return ["container runtime is down"];
  const problems: string[] = [];
  const check = (type: string, text: string): void => {
    const found = status.conditions.find((condition) => condition.type === type);
    if (!found?.status) problems.push(`${text} not ready: ${found ? describe(found) : "condition not found"}`);
  };
  check("NetworkReady", "container runtime network");
  check("RuntimeReady", "container runtime");
  return problems;
}

const describe = ({ type, status, reason, message }: RuntimeCondition): string =>
  `${type}=${status} reason:${reason} message:${message}`;

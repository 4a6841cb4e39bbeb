import type { KubernetesValue } from "../contract/messages.js";

interface Condition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
}

/** Pure: why a pod does not run, one sentence each. Of the scheduler's message each reason with its number of nodes is a line. */
export function explainPending(object: KubernetesValue): string[] {
  if (object.kind !== "Pod" || object["status"]?.phase !== "Pending") return [];
  const conditions: readonly Condition[] = object["status"]?.conditions ?? [];
  const scheduled = conditions.find(({ type }) => type === "PodScheduled");
  if (scheduled?.status === "False") return schedulingReasons(scheduled.message ?? "");
  const containers = [
    ...(object["status"]?.initContainerStatuses ?? []),
    ...(object["status"]?.containerStatuses ?? []),
  ];
  return containers.flatMap(
    ({ name, state }: { name: string; state?: { waiting?: { reason?: string; message?: string } } }) => {
      const { reason = "", message = "" } = state?.waiting ?? {};
      return reason === "" ? [] : [`container ${name}: ${reason}${message === "" ? "" : `: ${message}`}`];
    },
  );
}

/** "0/3 nodes are available: 1 node(s) had untolerated taint, 2 Insufficient cpu. preemption: …" */
function schedulingReasons(message: string): string[] {
  const [, available, reasons, rest = ""] = /^(\d+\/\d+ nodes are available): (.*?)\.(?: (.*))?$/s.exec(message) ?? [];
  if (available === undefined || reasons === undefined) return message === "" ? [] : [message];
  return [available, ...reasons.split(", "), ...(rest === "" ? [] : [rest.replace(/\.$/, "")])];
}

import type { Service } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { EventRecorder } from "@coxswain/client/events";
import { keyOf, type RefusedPort } from "./load-balancer-plan.js";

/** Makes a Warning event of each problem that the call before did not have. */
export function createProblemReporter(
  recorder: EventRecorder,
): (services: readonly DeepReadonly<Service>[], problems: readonly RefusedPort[]) => void {
  let known = new Set<string>();
  return (services, problems) => {
    const before = known;
    known = new Set(problems.map(({ service, message }) => `${service} ${message}`));
    for (const { service, message } of problems) {
      if (before.has(`${service} ${message}`)) continue;
      const about = services.find((one) => keyOf(one) === service);
      if (about) recorder.event(about as never, { type: "Warning", reason: "LoadBalancerPortFailed", message });
    }
  };
}

import type { Clock } from "@coxswain/runtime/clock";
import type { NetworkProber } from "../probes/network-prober.js";
import type { ProbeResult } from "../probes/probe-result.js";
import type { SimulatedContainer } from "./simulated-pod.js";

/** Answers probes and hooks over the network by the rules of the container: ready after a time, and perhaps unhealthy after another. */
export function createSimulatedProber(clock: Clock, find: (id: string) => SimulatedContainer): NetworkProber {
  const answer = (id: string): ProbeResult & { readonly kind: "success" | "failure" | "warning" } => {
    const { behaviour, record } = find(id);
    const startedAt = record.startedAt ?? clock.now();
    const readyAt = startedAt + behaviour.readyAfterMs;
    if (clock.now() < readyAt) return { kind: "failure", output: "connection refused", until: readyAt };
    const endsAt =
      behaviour.unhealthyAfterMs === undefined ? Number.POSITIVE_INFINITY : startedAt + behaviour.unhealthyAfterMs;
    if (clock.now() >= endsAt)
      return { kind: "failure", output: "HTTP probe failed with statuscode: 500", until: Number.POSITIVE_INFINITY };
    return { kind: "success", output: "ok", until: endsAt };
  };
  return {
    probe: async ({ id }) => answer(id),
    async runHttpHook({ id }) {
      const { kind, output } = answer(id);
      return kind === "failure" ? { failure: output } : {};
    },
  };
}

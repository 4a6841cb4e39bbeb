import type { Clock } from "@coxswain/runtime/clock";
import type { NetworkProber } from "../probes/network-prober.js";
import type { ProbeResult } from "../probes/probe-result.js";
import type { SimulatedContainer } from "./simulated-pod.js";

type Answer = ProbeResult & { readonly kind: "success" | "failure" | "warning" };

/** Pure but for the time: what a container answers by its rules: ready after a time, and perhaps unhealthy after another. */
export function answerByRules(
  clock: Clock,
  { behaviour, record }: Pick<SimulatedContainer, "behaviour" | "record">,
): Answer {
  const startedAt = record.startedAt ?? clock.now();
  const readyAt = startedAt + behaviour.readyAfterMs;
  if (clock.now() < readyAt) return { kind: "failure", output: "connection refused", until: readyAt };
  const endsAt =
    behaviour.unhealthyAfterMs === undefined ? Number.POSITIVE_INFINITY : startedAt + behaviour.unhealthyAfterMs;
  if (clock.now() >= endsAt)
    return { kind: "failure", output: "HTTP probe failed with statuscode: 500", until: Number.POSITIVE_INFINITY };
  return { kind: "success", output: "ok", until: endsAt };
}

/** Answers probes and hooks over the network by the rules of the container. */
export function createSimulatedProber(clock: Clock, find: (id: string) => SimulatedContainer): NetworkProber {
  return {
    probe: async ({ id }) => answerByRules(clock, find(id)),
    async runHttpHook({ id }) {
      const { kind, output } = answerByRules(clock, find(id));
      return kind === "failure" ? { failure: output } : {};
    },
  };
}

import type { ProbeAnswer } from "../runtime/container-runtime.js";
import type { SimulatedContainer } from "./simulated-pod.js";

/** Pure: what an HTTP, TCP or gRPC probe of a simulated container answers: by its rules, else success. */
export function planAnswer({ behaviour, record }: SimulatedContainer, now: number): ProbeAnswer {
  const startedAt = record.startedAt ?? now;
  const readyAt = startedAt + behaviour.readyAfterMs;
  if (now < readyAt) return { success: false, output: "connection refused", until: readyAt };
  const endsAt =
    behaviour.unhealthyAfterMs === undefined ? Number.POSITIVE_INFINITY : startedAt + behaviour.unhealthyAfterMs;
  if (now >= endsAt)
    return { success: false, output: "HTTP probe failed with statuscode: 500", until: Number.POSITIVE_INFINITY };
  return { success: true, output: "ok", until: endsAt };
}

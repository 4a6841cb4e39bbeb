import type { EventOptions } from "@coxswain/apiserver";
import { defineFlags, type OptionsOf } from "@coxswain/component/flags";

/** How long Events stay. */
export const eventFlags = defineFlags({
  "event-ttl": {
    group: "Store",
    type: "duration",
    default: "1h0m0s",
    help: "How long an Event stays after it was written last; 0: for ever.",
  },
  "lease-reuse-duration-seconds": {
    group: "Store",
    type: "integer",
    default: 60,
    min: 0,
    value: "seconds",
    help: "For how long new Events share a lease of the store; they live that much longer at most.",
  },
});

export const eventsFrom = (options: OptionsOf<typeof eventFlags>): EventOptions => ({
  ttlMs: options.eventTtl,
  leaseReuseMs: options.leaseReuseDurationSeconds * 1000,
});

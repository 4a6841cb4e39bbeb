import { defineFlags, type OptionsOf } from "@coxswain/component/flags";
import type { ShutdownOptions } from "./shut-down.js";

/** What happens between a signal and the end of the process. */
export const shutdownFlags = defineFlags({
  "shutdown-delay-duration": {
    group: "Shutdown",
    type: "duration",
    default: "0s",
    help: "How long to go on serving after a signal, while /readyz already fails.",
  },
  "shutdown-send-retry-after": {
    group: "Shutdown",
    type: "boolean",
    help: "While the last requests are answered, answer new ones with 429 and Retry-After instead of closing the port.",
  },
  "shutdown-watch-termination-grace-period": {
    group: "Shutdown",
    type: "duration",
    default: "0s",
    help: "Over how long watches are ended, one after the other.",
  },
});

export const shutdownFrom = (options: OptionsOf<typeof shutdownFlags>): ShutdownOptions => ({
  delayMs: options.shutdownDelayDuration,
  sendRetryAfter: options.shutdownSendRetryAfter,
  watchGraceMs: options.shutdownWatchTerminationGracePeriod,
});

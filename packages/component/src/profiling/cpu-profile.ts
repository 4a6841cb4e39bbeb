import { Session } from "node:inspector/promises";
import type { Clock } from "@coxswain/runtime/clock";
import { toPprof } from "./pprof.js";

let busy = false;

/** What this process does with its CPU for so long, in pprof's format. Undefined: somebody else is profiling. */
export async function profileCpu(ms: number, clock: Clock, signal: AbortSignal): Promise<Uint8Array | undefined> {
  if (busy) return undefined;
  busy = true;
  const session = new Session();
  try {
    session.connect();
    await session.post("Profiler.enable");
    await session.post("Profiler.start");
    const startedAt = clock.now();
    await new Promise<void>((resolve) => {
      const timer = clock.setTimer(ms, resolve);
      signal.addEventListener(
        "abort",
        () => {
          timer.cancel();
          resolve();
        },
        { once: true },
      );
    });
    const { profile } = await session.post("Profiler.stop");
    return toPprof(profile, startedAt);
  } finally {
    session.disconnect();
    busy = false;
  }
}

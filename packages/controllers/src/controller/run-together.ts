import type { RunningController } from "./controller.js";

/** Several loops as one controller. */
export const runTogether = (...parts: readonly RunningController[]): RunningController => ({
  run() {
    for (const part of parts) part.run();
  },
  async stop() {
    await Promise.all(parts.map((part) => part.stop()));
  },
});

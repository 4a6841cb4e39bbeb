import type { RunningController } from "./controller.js";

/** Several loops of one controller, as one. */
export const runTogether = (...loops: readonly RunningController[]): RunningController => ({
  run() {
    for (const loop of loops) loop.run();
  },
  async stop() {
    await Promise.all(loops.map((loop) => loop.stop()));
  },
});

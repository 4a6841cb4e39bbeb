import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// Tests run on the sources: a workspace package resolves to its src by the "coxswain-source" condition.
export default defineConfig({
  resolve: { conditions: ["coxswain-source"] },
  ssr: { resolve: { conditions: ["coxswain-source"] } },
  test: {
    include: [
      "packages/*/src/**/*.test.ts",
      "packages/*/test/**/*.test.ts",
      "tools/src/**/*.test.ts",
      "examples/**/*.test.ts",
    ],
    // Vitest leaves one core to others, which on two is half of them, while many tests wait for servers and not for the processor.
    maxWorkers: Math.min(8, availableParallelism()),
    setupFiles: ["tools/vitest-setup.ts"],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});

import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// Importing a package's modules takes longer than most of its tests: files that leave nothing behind (no environment variables,
// no working directory, no signal handlers) share them. Measured on 143 files: 0.6 s of imports for each instead of 2.1.
const sharing = [
  "packages/{apimachinery,runtime,cel,client,component,controllers,dns,gateway,kinds,kubelet,operator,proxy,scheduler,schema-types,wire}/src/**/*.test.ts",
  "packages/apiserver/src/{admission,aggregation,audit,authentication,authorization,cache,documents}/**/*.test.ts",
  "packages/apiserver/src/{endpoints,filters,flow-control,objects,registry,request,webhook}/**/*.test.ts",
];

// Tests run on the sources: a workspace package resolves to its src by the "coxswain-source" condition.
export default defineConfig({
  resolve: { conditions: ["coxswain-source"] },
  ssr: { resolve: { conditions: ["coxswain-source"] } },
  test: {
    // One more than there are cores: many tests wait for servers and disks, a quarter of the time with a worker for each core.
    maxWorkers: Math.min(8, availableParallelism() + 1),
    setupFiles: ["tools/vitest-setup.ts"],
    reporters: ["default", "./tools/slowest-tests.mjs"],
    // For machines with ten times as much to do: a test waits for what it tests, and not for a time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: "shared", include: sharing, isolate: false } },
      {
        extends: true,
        test: {
          name: "isolated",
          include: [
            "packages/*/src/**/*.test.ts",
            "packages/*/test/**/*.test.ts",
            "tools/src/**/*.test.ts",
            "examples/**/*.test.ts",
          ],
          exclude: ["**/node_modules/**", ...sharing],
        },
      },
    ],
  },
});

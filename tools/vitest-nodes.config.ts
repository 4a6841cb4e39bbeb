import { defineConfig } from "vitest/config";

// Tests that need containers: run in namespaces of their own by tools/src/nodes/tests-in-namespaces.ts, one file after the other,
// because a file makes the namespaces into a machine; the next one finds it (one process, one cache of modules).
export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  resolve: { conditions: ["coxswain-source"] },
  ssr: { resolve: { conditions: ["coxswain-source"] } },
  test: {
    include: ["packages/*/src/**/*.nodes-test.ts", "tools/src/**/*.nodes-test.ts"],
    setupFiles: ["tools/vitest-setup.ts"],
    fileParallelism: false,
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});

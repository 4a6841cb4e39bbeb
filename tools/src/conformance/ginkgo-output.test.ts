import { describe, expect, it } from "vitest";
import { createGinkgoReader } from "./ginkgo-output.js";
import type { Outcome } from "./outcome.js";

// Cut from what ginkgo 2.28.1 printed with --procs=2 -v --no-color.
const output = `Will run 3 of 7579 specs
Running in parallel across 2 processes
------------------------------
[SynchronizedBeforeSuite] PASSED [0.008 seconds]
[SynchronizedBeforeSuite] 
------------------------------
• [0.072 seconds]
[sig-auth] ServiceAccounts should run through the lifecycle of a ServiceAccount [Conformance] [sig-auth, Conformance]
k8s.io/kubernetes@v1.36.4/test/e2e/auth/service_accounts.go:700

  Timeline >>
  STEP: Creating a kubernetes client @ 11/15/26 23:07:30.407
  << Timeline
------------------------------
• [FAILED] [120.036 seconds]
[sig-node] ConfigMap [BeforeEach] should run through a ConfigMap lifecycle [Conformance] [sig-node, Conformance]
  [BeforeEach] set up framework | framework.go:302
  [It] k8s.io/kubernetes@v1.36.4/test/e2e/common/node/configmap.go:176

  Timeline >>
  [FAILED] in [BeforeEach] - k8s.io/kubernetes@v1.36.4/test/e2e/framework/framework.go:372 @ 11/15/26 23:09:30.421
  << Timeline

  [FAILED] wait for service account "default": timed out
  In [BeforeEach] at: k8s.io/kubernetes@v1.36.4/test/e2e/framework/framework.go:372 @ 11/15/26 23:09:30.421
------------------------------
  ------------------------------
• [INTERRUPTED] [57.446 seconds]
[sig-node] Secrets [It] should patch a secret [Conformance] [sig-node, Conformance]
------------------------------
S [SKIPPED] [0.5 seconds]
[sig-apps] Other [It] needs nodes [Conformance]

  [SKIPPED] Requires at least 1 nodes
  In [It] at: x.go:1
`;

const tests = [
  "[sig-auth] ServiceAccounts should run through the lifecycle of a ServiceAccount [Conformance]",
  "[sig-node] ConfigMap should run through a ConfigMap lifecycle [Conformance]",
  "[sig-node] Secrets should patch a secret [Conformance]",
  "[sig-apps] Other needs nodes [Conformance]",
];

describe("what ginkgo prints", () => {
  it("reports how each test ended, but for those that were interrupted", () => {
    const outcomes: Outcome[] = [];
    const reader = createGinkgoReader(tests, (outcome) => outcomes.push(outcome));
    for (const line of output.split("\n")) reader.line(line);
    expect(outcomes).toHaveLength(2);
    reader.end();
    expect(outcomes).toEqual([
      { test: tests[0], verdict: "passed", seconds: 0.072 },
      {
        test: tests[1],
        verdict: "failed",
        seconds: 120.036,
        message:
          'wait for service account "default": timed out\nIn [BeforeEach] at: k8s.io/kubernetes@v1.36.4/test/e2e/framework/framework.go:372 @ 11/15/26 23:09:30.421',
      },
      { test: tests[3], verdict: "skipped", seconds: 0.5, message: "Requires at least 1 nodes\nIn [It] at: x.go:1" },
    ]);
  });
});

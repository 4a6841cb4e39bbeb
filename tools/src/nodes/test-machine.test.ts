import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { describeWith } from "../needs/index.js";
import { missingForContainers, runTestsInNamespaces } from "./tests-in-namespaces.js";

const missing = missingForContainers();

/** What a container runtime may leave on a machine: mounts and control groups, of this process and by containerd's own name. */
const leftovers = (): readonly string[] => [
  ...readFileSync("/proc/self/mounts", "utf8").split("\n"),
  ...readdirSync("/sys/fs/cgroup", { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => readdirSync(`/sys/fs/cgroup/${name}`).map((child) => `${name}/${child}`))
    .filter((name) => name.includes(`coxswain-${process.pid}-`) || name.endsWith("/k8s.io")),
];

const need = {
  found: missing === undefined,
  missing: missing ?? "nothing",
  requiredAs: "nodes",
  timeout: 120_000,
} as const;
describeWith("containers in namespaces of their own", need, () => {
  it("run on a machine for tests, and nothing is left of it", async () => {
    const before = leftovers();
    const { code, output } = await runTestsInNamespaces("tools/src/nodes/test-machine.nodes-test.ts");
    // With all that the inner run printed, where it failed.
    expect(code === 0 ? "passed" : output).toBe("passed");
    expect(output).toMatch(/3 passed/);
    expect(leftovers()).toEqual(before);
  });
});

import type { PodFailurePolicyRule, SuccessPolicyRule } from "@coxswain/api/batch/v1";
import type { Pod } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { parseIntervals } from "./index-intervals.js";
import { matchFailurePolicy } from "./pod-failure-policy.js";
import { matchSuccessPolicy } from "./success-policy.js";

describe("the failure policy of pods", () => {
  const exited = (exitCode: number, name = "main") => ({
    name,
    image: "",
    imageID: "",
    ready: false,
    restartCount: 0,
    state: { terminated: { exitCode } },
  });
  const pod = (status: Pod["status"]): Pod => ({ metadata: { namespace: "ns", name: "p" }, ...(status && { status }) });
  const onCodes = (action: string, values: number[], more: object = {}): PodFailurePolicyRule =>
    ({ action, onExitCodes: { operator: "In", values, ...more } }) as PodFailurePolicyRule;
  const onDisruption = (action: string): PodFailurePolicyRule =>
    ({ action, onPodConditions: [{ type: "DisruptionTarget", status: "True" }] }) as PodFailurePolicyRule;
  const disrupted = { conditions: [{ type: "DisruptionTarget", status: "True" }] } as const;
  const rows: { name: string; rules: PodFailurePolicyRule[]; status: Pod["status"]; match: object }[] = [
    {
      name: "counts a pod that no rule matches",
      rules: [onCodes("Ignore", [5])],
      status: { containerStatuses: [exited(2)] },
      match: { isCounted: true },
    },
    {
      name: "ignores",
      rules: [onCodes("Ignore", [1, 2])],
      status: { containerStatuses: [exited(2)] },
      match: { action: "Ignore", isCounted: false },
    },
    {
      name: "takes the first rule that matches",
      rules: [onCodes("Count", [2]), onCodes("FailJob", [2])],
      status: { containerStatuses: [exited(2)] },
      match: { action: "Count", isCounted: true },
    },
    {
      name: "fails an index",
      rules: [onCodes("FailIndex", [3])],
      status: { containerStatuses: [exited(3)] },
      match: { action: "FailIndex", isCounted: true },
    },
    {
      name: "fails the Job and reports why",
      rules: [onCodes("Ignore", [1]), onCodes("FailJob", [5, 6])],
      status: { containerStatuses: [exited(0), exited(6, "side")] },
      match: {
        action: "FailJob",
        isCounted: true,
        message: "Container side for pod ns/p failed with exit code 6 matching FailJob rule at index 1",
      },
    },
    {
      name: "looks at init containers",
      rules: [onCodes("Ignore", [4])],
      status: { initContainerStatuses: [exited(4)] },
      match: { action: "Ignore", isCounted: false },
    },
    {
      name: "looks only at the container it names",
      rules: [onCodes("Ignore", [4], { containerName: "other" })],
      status: { containerStatuses: [exited(4)] },
      match: { isCounted: true },
    },
    {
      name: "never matches success, not even by what it excludes",
      rules: [onCodes("Ignore", [4], { operator: "NotIn" })],
      status: { containerStatuses: [exited(0)] },
      match: { isCounted: true },
    },
    {
      name: "matches codes that it does not exclude",
      rules: [onCodes("Ignore", [4], { operator: "NotIn" })],
      status: { containerStatuses: [exited(5)] },
      match: { action: "Ignore", isCounted: false },
    },
    {
      name: "ignores disruptions",
      rules: [onDisruption("Ignore")],
      status: { conditions: [...disrupted.conditions] },
      match: { action: "Ignore", isCounted: false },
    },
    {
      name: "fails the Job for a condition",
      rules: [onDisruption("FailJob")],
      status: { conditions: [...disrupted.conditions] },
      match: {
        action: "FailJob",
        isCounted: true,
        message: "Pod ns/p has condition DisruptionTarget matching FailJob rule at index 0",
      },
    },
    {
      name: "does not match a condition that is false",
      rules: [onDisruption("Ignore")],
      status: { conditions: [{ type: "DisruptionTarget", status: "False" }] },
      match: { isCounted: true },
    },
  ];
  for (const { name, rules, status, match } of rows)
    it(name, () => expect(matchFailurePolicy({ rules }, pod(status))).toEqual(match));
  it("counts every failure where there is none", () =>
    expect(matchFailurePolicy(undefined, pod({}))).toEqual({ isCounted: true }));
});

describe("the success policy", () => {
  const rows: { name: string; rules: SuccessPolicyRule[]; succeeded: string; met: string | undefined }[] = [
    { name: "is not met before any index succeeded", rules: [{ succeededCount: 0 }], succeeded: "", met: undefined },
    { name: "is met by a count", rules: [{ succeededCount: 3 }], succeeded: "0,4,7", met: "Matched rules at index 0" },
    { name: "is not met by fewer", rules: [{ succeededCount: 4 }], succeeded: "0,4,7", met: undefined },
    {
      name: "is met by all of some indexes",
      rules: [{ succeededIndexes: "0-2,5" }],
      succeeded: "0-5",
      met: "Matched rules at index 0",
    },
    { name: "is not met by some of them", rules: [{ succeededIndexes: "0-2,6" }], succeeded: "0-5", met: undefined },
    {
      name: "is met by so many of some indexes",
      rules: [{ succeededIndexes: "0-4", succeededCount: 2 }],
      succeeded: "3-7",
      met: "Matched rules at index 0",
    },
    {
      name: "is not met by so many others",
      rules: [{ succeededIndexes: "0-4", succeededCount: 3 }],
      succeeded: "3-9",
      met: undefined,
    },
    {
      name: "is met by a later rule",
      rules: [{ succeededIndexes: "9" }, { succeededIndexes: "1" }],
      succeeded: "1",
      met: "Matched rules at index 1",
    },
    {
      name: "is not met by a rule that cannot be read",
      rules: [{ succeededIndexes: "x" }],
      succeeded: "1",
      met: undefined,
    },
  ];
  for (const { name, rules, succeeded, met } of rows)
    it(name, () =>
      expect(matchSuccessPolicy({ rules }, { completions: 10, succeeded: parseIntervals(succeeded, 10) })).toBe(met),
    );
});

import type { Pod } from "@coxswain/api/core/v1";
import type { DeviceTaint, DeviceToleration, ResourceClaim, ResourceSlice } from "@coxswain/api/resource/v1";
import type { DeviceTaintRule } from "@coxswain/api/resource/v1beta2";
import { describe, expect, it } from "vitest";
import { claimEviction, evictingTaintsOf, podEviction, ruleMatches } from "./plan.js";
import { ruleCondition } from "./rule-condition.js";

const seconds = (count: number): string => `2026-01-01T00:00:${String(count).padStart(2, "0")}Z`;
const at = (count: number): number => Date.UTC(2026, 0, 1) + count * 1000;
const taint = (key: string, added = 0, effect: DeviceTaint["effect"] = "NoExecute"): DeviceTaint => ({
  key,
  effect,
  timeAdded: seconds(added),
});
const slice = (name: string, generation: number, ...taints: DeviceTaint[]): ResourceSlice => ({
  metadata: { name },
  spec: { driver: "d", pool: { name: "p", generation, resourceSliceCount: 1 }, devices: [{ name: "gpu", taints }] },
});
const claim = (tolerations: DeviceToleration[] = [], status: object = {}): ResourceClaim => ({
  metadata: { name: "c", namespace: "default" },
  spec: {},
  status: {
    allocation: { devices: { results: [{ request: "r", driver: "d", pool: "p", device: "gpu", tolerations }] } },
    reservedFor: [{ resource: "pods", name: "pod", uid: "u1" }],
    ...status,
  },
});
const tolerate = (key: string, tolerationSeconds?: number, effect = "NoExecute"): DeviceToleration =>
  ({
    key,
    operator: "Exists",
    effect,
    ...(tolerationSeconds !== undefined && { tolerationSeconds }),
  }) as DeviceToleration;
const rule = (
  uid: string,
  selector: DeviceTaintRule["spec"]["deviceSelector"],
  effect = "NoExecute",
): DeviceTaintRule =>
  ({
    metadata: { name: uid, uid, generation: 2 },
    spec: { ...(selector && { deviceSelector: selector }), taint: { key: uid, effect, timeAdded: seconds(1) } },
  }) as DeviceTaintRule;

describe("when the users of a claim must go", () => {
  const rows: {
    name: string;
    slices?: ResourceSlice[];
    rules?: DeviceTaintRule[];
    claim?: ResourceClaim;
    at?: number;
    ruleUids?: string[];
  }[] = [
    { name: "never without taints", slices: [slice("s", 1)] },
    { name: "when the taint came", slices: [slice("s", 1, taint("broken", 5))], at: at(5), ruleUids: [] },
    {
      name: "at the first of several taints",
      slices: [slice("s", 1, taint("a", 9), taint("b", 5))],
      at: at(5),
      ruleUids: [],
    },
    { name: "never for taints of other effects", slices: [slice("s", 1, taint("a", 5, "NoSchedule"))] },
    { name: "never for taints of older generations", slices: [slice("old", 1, taint("a", 5)), slice("new", 2)] },
    { name: "never for a device that is gone", slices: [] },
    { name: "never when it is tolerated", slices: [slice("s", 1, taint("a", 5))], claim: claim([tolerate("a")]) },
    {
      name: "later when it is tolerated for a while",
      slices: [slice("s", 1, taint("a", 5))],
      claim: claim([tolerate("a", 30), tolerate("a", 20)]),
      at: at(25),
      ruleUids: [],
    },
    {
      name: "at once when that is negative",
      slices: [slice("s", 1, taint("a", 5))],
      claim: claim([tolerate("a", -1)]),
      at: at(5),
      ruleUids: [],
    },
    {
      name: "at once when only scheduling is tolerated",
      slices: [slice("s", 1, taint("a", 5))],
      claim: claim([tolerate("a", undefined, "NoSchedule")]),
      at: at(5),
      ruleUids: [],
    },
    { name: "when a rule selects the device", rules: [rule("r1", { driver: "d" })], at: at(1), ruleUids: ["r1"] },
    { name: "never when a rule selects others", rules: [rule("r1", { driver: "other" })] },
  ];
  for (const row of rows)
    it(row.name, () =>
      expect(claimEviction(row.claim ?? claim(), { slicesOf: () => row.slices ?? [], rules: row.rules ?? [] })).toEqual(
        row.at === undefined ? undefined : { atMs: row.at, ruleUids: row.ruleUids },
      ),
    );
});

describe("when a pod must go", () => {
  const pod = (rest: { nodeName?: string; uid?: string } = {}): Pod => ({
    metadata: { name: "pod", namespace: "default", uid: rest.uid ?? "u1" },
    spec: { nodeName: rest.nodeName ?? "n", containers: [], resourceClaims: [{ name: "x", resourceClaimName: "c" }] },
  });
  const eviction = (each: Pod) =>
    podEviction(each, () => claim(), { slicesOf: () => [slice("s", 1, taint("a", 5))], rules: [], hasGroups: false });
  it("when a toleration of one of its claims runs out", () => expect(eviction(pod())?.atMs).toBe(at(5)));
  it("never before it has a node", () => expect(eviction(pod({ nodeName: "" }))).toBeUndefined());
  it("never when the claim is reserved for others", () => expect(eviction(pod({ uid: "u2" }))).toBeUndefined());
});

it("a rule without a selector is about nothing", () =>
  expect(ruleMatches(rule("r", undefined), { driver: "d", pool: "p", device: "x" })).toBe(false));

it("only taints that make pods leave count as changes", () =>
  expect(evictingTaintsOf([slice("s", 1, taint("a", 1, "NoSchedule"))])).toEqual([]));

describe("the condition of a rule", () => {
  const counts = { pods: 0, namespaces: 0, evicted: 0, publishedDevices: 0, allocatedDevices: 0 };
  const rows = [
    {
      name: "before anything happened",
      effect: "NoExecute",
      counts: {},
      condition: { status: "False", reason: "NotStarted", message: "" },
    },
    {
      name: "while pods must go",
      effect: "NoExecute",
      counts: { pods: 2, namespaces: 1, evicted: 1 },
      condition: {
        status: "True",
        reason: "PodsPendingEviction",
        message: "2 pods need to be evicted in 1 namespace. 1 pod evicted since starting the controller.",
      },
    },
    {
      name: "in the end",
      effect: "NoExecute",
      counts: { evicted: 3 },
      condition: { status: "False", reason: "Completed", message: "3 pods evicted since starting the controller." },
    },
    {
      name: "of another effect",
      effect: "NoSchedule",
      counts: {},
      condition: { status: "False", reason: "OtherEffect", message: "Eviction only happens for the NoExecute effect." },
    },
    {
      name: "without effect reports what would happen",
      effect: "None",
      counts: { pods: 1, namespaces: 2, publishedDevices: 1, allocatedDevices: 4 },
      condition: {
        status: "False",
        reason: "NoEffect",
        message:
          "1 published device selected. 4 allocated devices selected. 1 pod would be evicted in 2 different namespaces if the effect was NoExecute. " +
          "This information will not be updated again. Recreate the DeviceTaintRule to trigger an update.",
      },
    },
  ];
  for (const row of rows)
    it(row.name, () =>
      expect(ruleCondition(rule("r", {}, row.effect), { ...counts, ...row.counts }, "now")).toEqual({
        type: "EvictionInProgress",
        observedGeneration: 2,
        lastTransitionTime: "now",
        ...row.condition,
      }),
    );
});

import type { Pod } from "@coxswain/api/core/v1";
import type { ResourceClaim, ResourceClaimTemplate } from "@coxswain/api/resource/v1";
import { describe, expect, it } from "vitest";
import { consumerOf, podUser } from "../resource-claims/claim-user.js";
import { createRecentUids } from "../resource-claims/recent-uids.js";
import { checkReservation, claimFinalizer, planClaimSync } from "./plan-claim.js";
import { generateNameFor, needsPodWork, planEntry } from "./plan-user.js";

const fromTemplate = { name: "gpu", resourceClaimTemplateName: "t" };
const pod = (rest: { spec?: object; status?: object; metadata?: object } = {}): Pod =>
  ({
    metadata: { name: "p", namespace: "default", uid: "u1", ...rest.metadata },
    spec: { containers: [], resourceClaims: [fromTemplate], ...rest.spec } as Pod["spec"],
    status: { ...rest.status },
  }) as Pod;
const owner = (uid = "u1") => ({ apiVersion: "v1", kind: "Pod", name: "p", uid, controller: true });
const spec = { devices: { requests: [{ name: "r", exactly: { deviceClassName: "gpu" } }] } };
const claim = (rest: { metadata?: object; status?: object } = {}): ResourceClaim => ({
  metadata: { name: "p-gpu-x", namespace: "default", ownerReferences: [owner()], ...rest.metadata },
  spec,
  status: { ...rest.status },
});
const template = (request: object = spec.devices.requests[0] as object): ResourceClaimTemplate => ({
  metadata: { name: "t", namespace: "default" },
  spec: {
    metadata: { labels: { a: "b" }, annotations: { c: "d" } },
    spec: { devices: { requests: [request as never] } },
  },
});
const known = { resourceClaimStatuses: [{ name: "gpu", resourceClaimName: "p-gpu-x" }] };
const allocation = { devices: { results: [] } };

describe("what an entry of a pod needs", () => {
  const rows: {
    name: string;
    pod?: Pod;
    claims?: ResourceClaim[];
    template?: ResourceClaimTemplate;
    generated?: string;
    gates?: object;
    plan: object;
  }[] = [
    { name: "a claim by its template", template: template(), plan: { kind: "create" } },
    {
      name: "nothing once that is named in the status",
      pod: pod({ status: known }),
      claims: [claim()],
      template: template(),
      plan: { kind: "nothing" },
    },
    {
      name: "nothing where the pod's status has that none is needed",
      pod: pod({ status: { resourceClaimStatuses: [{ name: "gpu" }] } }),
      template: template(),
      plan: { kind: "nothing" },
    },
    {
      name: "its name in the status when it was made before",
      generated: "p-gpu-x",
      template: template(),
      plan: { kind: "record", claimName: "p-gpu-x" },
    },
    {
      name: "another one when the first is not the pod's",
      pod: pod({ status: known }),
      claims: [claim({ metadata: { ownerReferences: [owner("u2")] } })],
      template: template(),
      plan: { kind: "create" },
    },
    {
      name: "another one when the first was deleted",
      pod: pod({ status: known }),
      template: template(),
      plan: { kind: "create" },
    },
    {
      name: "nothing where the user makes the claim",
      pod: pod({ spec: { resourceClaims: [{ name: "gpu", resourceClaimName: "mine" }] } }),
      plan: { kind: "nothing" },
    },
    {
      name: "its template",
      plan: {
        kind: "refused",
        message: 'resource claim template "t": resourceclaimtemplate.resource.k8s.io "t" not found',
      },
    },
    {
      name: "a field that is known",
      pod: pod({ spec: { resourceClaims: [{ name: "gpu" }] } }),
      plan: {
        kind: "refused",
        message:
          'checking for claim before creating it: pod "default/p", spec.resourceClaim "gpu": none of the supported fields are set',
      },
    },
    {
      name: "the gate for admin access",
      template: template({ name: "r", exactly: { deviceClassName: "gpu", adminAccess: true } }),
      gates: { hasAdminAccess: false },
      plan: { kind: "refused", message: "admin access is requested, but the feature is disabled" },
    },
    {
      name: "the gate for prioritized lists",
      template: template({ name: "r", firstAvailable: [{ name: "a", deviceClassName: "gpu" }] }),
      gates: { hasPrioritizedList: false },
      plan: {
        kind: "refused",
        message: "template includes a prioritized list of subrequests, but the feature is disabled",
      },
    },
  ];
  for (const row of rows)
    it(row.name, () => {
      const user = podUser(row.pod ?? pod());
      const entry = user.entries[0];
      if (!entry) throw new Error("no entry");
      const plan = planEntry({
        user,
        entry,
        maker: user,
        gates: { hasAdminAccess: true, hasPrioritizedList: true, ...row.gates },
        claimByName: (name) => row.claims?.find(({ metadata }) => metadata?.name === name),
        isOwn: ({ metadata }) => metadata?.ownerReferences?.[0]?.uid === "u1",
        generated: () => row.generated,
        templateByName: () => row.template,
      });
      expect(plan).toMatchObject(row.plan);
    });
  it("a claim that names the entry and goes with the pod", () => {
    const user = podUser(pod());
    const plan = planEntry({
      user,
      entry: fromTemplate,
      maker: user,
      gates: { hasAdminAccess: true, hasPrioritizedList: true },
      claimByName: () => undefined,
      isOwn: () => false,
      generated: () => undefined,
      templateByName: () => template(),
    });
    expect(plan).toEqual({
      kind: "create",
      claim: {
        metadata: {
          generateName: "p-gpu-",
          ownerReferences: [owner()],
          annotations: { c: "d", "resource.kubernetes.io/pod-claim-name": "gpu" },
          labels: { a: "b" },
        },
        spec,
      },
    });
  });
});

describe("generated names", () => {
  it("end with a hyphen", () => expect(generateNameFor("pod", "gpu")).toBe("pod-gpu-"));
  it("are shortened in both parts", () => {
    const name = generateNameFor("p".repeat(60), "c".repeat(20));
    expect(name).toBe(`${"p".repeat(41)}-${"c".repeat(13)}`);
  });
});

describe("whether a pod needs work", () => {
  const rows: { name: string; pod: Pod; claims?: ResourceClaim[]; needs: boolean }[] = [
    { name: "without a claim: yes", pod: pod(), needs: true },
    { name: "with one: no", pod: pod({ status: known }), claims: [claim()], needs: false },
    { name: "with one that is missing: yes", pod: pod({ status: known }), needs: true },
    { name: "that is being deleted: no", pod: pod({ metadata: { deletionTimestamp: "x" } }), needs: false },
    { name: "that has ended: no", pod: pod({ status: { phase: "Succeeded" } }), needs: false },
    {
      name: "on a node with devices that are not reserved for it: yes",
      pod: pod({ status: known, spec: { nodeName: "n" } }),
      claims: [claim({ status: { allocation } })],
      needs: true,
    },
    {
      name: "on a node with devices that are: no",
      pod: pod({ status: known, spec: { nodeName: "n" } }),
      claims: [claim({ status: { allocation, reservedFor: [{ resource: "pods", name: "p", uid: "u1" }] } })],
      needs: false,
    },
    {
      name: "that names a claim which its user has yet to make: no",
      pod: pod({ spec: { resourceClaims: [{ name: "gpu", resourceClaimName: "mine" }] } }),
      needs: false,
    },
  ];
  for (const row of rows)
    it(row.name, () =>
      expect(
        needsPodWork({
          pod: row.pod,
          group: undefined,
          isGroupMissing: false,
          hasGroups: false,
          claimByName: (name) => row.claims?.find(({ metadata }) => metadata?.name === name),
        }),
      ).toBe(row.needs),
    );
});

describe("for whom a claim is reserved", () => {
  const group = (resourceClaims: object[]) =>
    ({ metadata: { name: "g", namespace: "default", uid: "g1" }, spec: { resourceClaims } }) as never;
  it("the pod", () => expect(consumerOf(pod(), undefined, fromTemplate).resource).toBe("pods"));
  it("its group, where that has the same entry", () =>
    expect(consumerOf(pod(), group([fromTemplate]), fromTemplate).resource).toBe("podgroups"));
  it("the pod, where the entries differ", () =>
    expect(consumerOf(pod(), group([{ name: "gpu", resourceClaimName: "other" }]), fromTemplate).resource).toBe(
      "pods",
    ));
});

describe("a reservation", () => {
  const reservation = { resource: "pods", name: "p", uid: "u1" };
  const rows: [name: string, pod: Pod | undefined, isDeleted: boolean, checked: string][] = [
    ["of a pod that runs stays", pod({ spec: { nodeName: "n" } }), false, "keep"],
    ["of a pod that waits for its node stays", pod(), false, "keep"],
    ["of a pod whose deletion was seen goes", undefined, true, "drop"],
    ["of a pod that the cache does not have is asked for", undefined, false, "ask"],
    ["of a namesake goes", pod({ metadata: { uid: "u2" } }), false, "drop"],
    ["of a pod that has ended goes", pod({ status: { phase: "Failed" } }), false, "drop"],
    [
      "of a pod that was deleted before it had a node goes",
      pod({ metadata: { deletionTimestamp: "x" } }),
      false,
      "drop",
    ],
    [
      "of a pod that is being stopped stays",
      pod({ metadata: { deletionTimestamp: "x" }, spec: { nodeName: "n" } }),
      false,
      "keep",
    ],
  ];
  for (const [name, each, isDeleted, checked] of rows)
    it(name, () => expect(checkReservation(reservation, each, isDeleted)).toBe(checked));
});

describe("a claim", () => {
  const reserved = [{ resource: "pods", name: "p", uid: "u1" }];
  const protectedBy = { finalizers: [claimFinalizer] };
  const rows: { name: string; claim: ResourceClaim; remaining?: typeof reserved; owner?: Pod; plan: object }[] = [
    {
      name: "that is used stays as it is",
      claim: claim({ metadata: protectedBy, status: { allocation, reservedFor: reserved } }),
      remaining: reserved,
      plan: { isFinalizerRemoved: false, isDeleted: false },
    },
    {
      name: "that nobody uses any more gives its devices back and loses the finalizer",
      claim: claim({ metadata: protectedBy, status: { allocation, reservedFor: reserved } }),
      plan: { status: {}, isFinalizerRemoved: true, isDeleted: false },
    },
    {
      name: "of another driver's allocation only loses the reservation",
      claim: claim({ status: { allocation, reservedFor: reserved } }),
      plan: { status: { allocation }, isFinalizerRemoved: false, isDeleted: false },
    },
    {
      name: "that is deleted with devices and without consumers gives them back",
      claim: claim({ metadata: { ...protectedBy, deletionTimestamp: "x" }, status: { allocation } }),
      plan: { status: {}, isFinalizerRemoved: true, isDeleted: false },
    },
    {
      name: "that is deleted while it is used waits",
      claim: claim({
        metadata: { ...protectedBy, deletionTimestamp: "x" },
        status: { allocation, reservedFor: reserved },
      }),
      remaining: reserved,
      plan: { isFinalizerRemoved: false, isDeleted: false },
    },
    {
      name: "that was generated goes when its pod has ended",
      claim: claim(),
      owner: pod({ status: { phase: "Succeeded" } }),
      plan: { isFinalizerRemoved: false, isDeleted: true },
    },
    {
      name: "that was generated stays while its pod may run",
      claim: claim(),
      owner: pod(),
      plan: { isFinalizerRemoved: false, isDeleted: false },
    },
    {
      name: "that was generated for a namesake goes",
      claim: claim(),
      owner: pod({ metadata: { uid: "u2" } }),
      plan: { isFinalizerRemoved: false, isDeleted: true },
    },
    {
      name: "whose pod is gone is the garbage collector's",
      claim: claim(),
      plan: { isFinalizerRemoved: false, isDeleted: false },
    },
  ];
  for (const row of rows)
    it(row.name, () => expect(planClaimSync(row.claim, row.remaining ?? [], row.owner)).toEqual(row.plan));
});

it("recent uids: the oldest is forgotten first", () => {
  const uids = createRecentUids(2);
  for (const uid of ["a", "b", "a", "c"]) uids.add(uid);
  expect(["a", "b", "c"].map((uid) => uids.has(uid))).toEqual([true, false, true]);
});

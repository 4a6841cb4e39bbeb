import type { PersistentVolume } from "@coxswain/api/core/v1";
import type { StorageClass } from "@coxswain/api/storage/v1";
import { describe, expect, it } from "vitest";
import { claim, referenceTo, storageClass, volume } from "../volumes/volumes.test.support.js";
import { type ClaimPlan, type FreeClaimInputs, planBoundClaim, planFreeClaim, planNamedClaim } from "./plan-claim.js";

/** A plan on one line. */
const brief = (plan: ClaimPlan): string => {
  switch (plan.kind) {
    case "bind":
      return `bind ${plan.volume.metadata?.name}`;
    case "assignClass":
      return `assignClass ${plan.className}`;
    case "provisionExternally":
      return `provision by ${plan.provisioner}`;
    default:
      return "event" in plan && plan.event ? `${plan.kind} ${plan.event.reason}: ${plan.event.message}` : plan.kind;
  }
};

describe("a claim that was bound", () => {
  const named = claim("c", { spec: { volumeName: "v" } });
  const rows: [name: string, volume: PersistentVolume | undefined, plan: string][] = [
    ["is bound again where the volume lost its reference", volume("v"), "bind v"],
    [
      "is bound to the end where the volume names it",
      volume("v", { spec: { claimRef: referenceTo("c", "uid-c") } }),
      "bind v",
    ],
    [
      "is lost without its volume",
      undefined,
      "lost ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is lost!",
    ],
    [
      "is lost where the volume is another's",
      volume("v", { spec: { claimRef: referenceTo("c", "old") } }),
      "lost ClaimMisbound: Two claims are bound to the same volume, this one is bound incorrectly",
    ],
  ];
  for (const [name, each, plan] of rows) it(name, () => expect(brief(planBoundClaim(named, each))).toBe(plan));
  it("is lost when somebody took the name of its volume away", () =>
    expect(brief(planBoundClaim(claim("c"), undefined))).toBe(
      "lost ClaimLost: Bound claim has lost reference to PersistentVolume. Data on the volume is lost!",
    ));
});

describe("a claim that names its volume", () => {
  const named = claim("c", { spec: { volumeName: "v" } });
  const rows: [name: string, volume: PersistentVolume | undefined, plan: string][] = [
    ["waits until it is there", undefined, "pending"],
    ["gets it when it is free", volume("v"), "bind v"],
    ["gets it also where the volume is not yet available", volume("v", { status: {} }), "bind v"],
    ["gets it when it names the claim", volume("v", { spec: { claimRef: referenceTo("c") } }), "bind v"],
    [
      "waits when it does not fit",
      volume("v", { spec: { volumeMode: "Block" } }),
      'pending VolumeMismatch: Cannot bind to requested volume "v": incompatible volumeMode',
    ],
    [
      "waits when it is another's",
      volume("v", { spec: { claimRef: referenceTo("other", "u") } }),
      'pending FailedBinding: volume "v" already bound to a different claim.',
    ],
  ];
  for (const [name, each, plan] of rows) it(name, () => expect(brief(planNamedClaim(named, each))).toBe(plan));
  it("is a contradiction when the controller itself chose a volume that is another's", () => {
    const chosen = claim("c", {
      metadata: { annotations: { "pv.kubernetes.io/bound-by-controller": "yes" } },
      spec: { volumeName: "v" },
    });
    expect(planNamedClaim(chosen, volume("v", { spec: { claimRef: referenceTo("other", "u") } }))).toMatchObject({
      kind: "contradiction",
      message: 'invalid binding of claim "default/c" to volume "v": volume already claimed by "default/other"',
    });
  });
});

describe("a claim that takes any volume", () => {
  const gold = { storageClassName: "gold" };
  const delayed: StorageClass = storageClass("gold", { volumeBindingMode: "WaitForFirstConsumer" });
  const rows: { name: string; inputs: Partial<FreeClaimInputs>; plan: string }[] = [
    { name: "gets one that fits", inputs: { candidates: [volume("v")] }, plan: "bind v" },
    {
      name: "waits without a class",
      inputs: {},
      plan: "pending FailedBinding: no persistent volumes available for this claim and no storage class is set",
    },
    { name: "gets the default class", inputs: { defaultClass: storageClass("gold") }, plan: "assignClass gold" },
    {
      name: "gets a volume before the default class",
      inputs: { defaultClass: storageClass("gold"), candidates: [volume("v")] },
      plan: "bind v",
    },
    {
      name: "of the class without a name does not get the default",
      inputs: { claim: claim("c", { spec: { storageClassName: "" } }), defaultClass: storageClass("gold") },
      plan: "pending FailedBinding: no persistent volumes available for this claim and no storage class is set",
    },
    {
      name: "waits for its first consumer",
      inputs: { claim: claim("c", { spec: gold }), storageClass: delayed },
      plan: "pending WaitForFirstConsumer: waiting for first consumer to be created before binding",
    },
    {
      name: "waits for its consumer's node",
      inputs: { claim: claim("c", { spec: gold }), storageClass: delayed, waitingPods: ["p"] },
      plan: "pending WaitForPodScheduled: waiting for pod p to be scheduled",
    },
    {
      name: "waits for the nodes of its consumers",
      inputs: { claim: claim("c", { spec: gold }), storageClass: delayed, waitingPods: ["p", "q"] },
      plan: "pending WaitForPodScheduled: waiting for pods p,q to be scheduled",
    },
    {
      name: "is provisioned once the scheduler has chosen a node",
      inputs: {
        claim: claim("c", { metadata: { annotations: { "volume.kubernetes.io/selected-node": "n" } }, spec: gold }),
        storageClass: delayed,
      },
      plan: "provision by example.com/disk",
    },
    {
      name: "is provisioned by a program outside",
      inputs: { claim: claim("c", { spec: gold }), storageClass: storageClass("gold") },
      plan: "provision by example.com/disk",
    },
    {
      name: "is provisioned by the driver that took an in-tree plugin's place",
      inputs: {
        claim: claim("c", { spec: gold }),
        storageClass: storageClass("gold", { provisioner: "kubernetes.io/aws-ebs" }),
      },
      plan: "provision by ebs.csi.aws.com",
    },
    {
      name: "gets the event that its class has no provisioner",
      inputs: {
        claim: claim("c", { spec: gold }),
        storageClass: storageClass("gold", { provisioner: "kubernetes.io/no-provisioner" }),
      },
      plan: "report ProvisioningFailed: no volume plugin matched name: kubernetes.io/no-provisioner",
    },
    {
      name: "gets the event that its class is not there",
      inputs: { claim: claim("c", { spec: gold }) },
      plan: 'report ProvisioningFailed: storageclass.storage.k8s.io "gold" not found',
    },
    {
      name: "is left alone where provisioning is switched off",
      inputs: { claim: claim("c", { spec: gold }), isProvisioningEnabled: false },
      plan: "nothing",
    },
  ];
  for (const { name, inputs, plan } of rows)
    it(name, () =>
      expect(
        brief(
          planFreeClaim({
            claim: claim("c"),
            candidates: [],
            storageClass: undefined,
            defaultClass: undefined,
            waitingPods: [],
            isProvisioningEnabled: true,
            ...inputs,
          }),
        ),
      ).toBe(plan),
    );
});

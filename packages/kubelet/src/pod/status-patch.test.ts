import { describe, expect, it } from "vitest";
import { planStatusPatch } from "./status-patch.js";

const ready = { type: "Ready", status: "True" } as const;
const cases: { name: string; stored: object; wanted: object; patch: object | undefined }[] = [
  { name: "nothing differs", stored: { phase: "Running" }, wanted: { phase: "Running" }, patch: undefined },
  {
    name: "what the server writes out is no difference",
    stored: {
      containerStatuses: [{ name: "a", lastState: {}, state: {} }],
      conditions: [{ ...ready, lastProbeTime: null }],
    },
    wanted: { containerStatuses: [{ name: "a" }], conditions: [ready] },
    patch: undefined,
  },
  {
    name: "members change and go",
    stored: { phase: "Pending", reason: "Old" },
    wanted: { phase: "Running" },
    patch: { phase: "Running", reason: null },
  },
  {
    name: "only changed conditions are sent, with nulls for what went",
    stored: {
      conditions: [
        { ...ready, status: "False", reason: "R" },
        { type: "Initialized", status: "True" },
      ],
    },
    wanted: { conditions: [ready, { type: "Initialized", status: "True" }] },
    patch: { conditions: [{ ...ready, reason: null }] },
  },
  {
    name: "own conditions go, others' stay",
    stored: {
      conditions: [
        { type: "PodResizePending", status: "True" },
        { type: "example.com/x", status: "True" },
      ],
    },
    wanted: { conditions: [] },
    patch: { conditions: [{ type: "PodResizePending", $patch: "delete" }] },
  },
  {
    name: "others' conditions are not written",
    stored: {},
    wanted: { conditions: [{ type: "example.com/x", status: "True" }] },
    patch: undefined,
  },
  {
    name: "an address that changed replaces the old one",
    stored: { podIPs: [{ ip: "10.0.0.1" }] },
    wanted: { podIPs: [{ ip: "10.0.0.2" }] },
    patch: { podIPs: [{ ip: "10.0.0.2" }, { ip: "10.0.0.1", $patch: "delete" }] },
  },
];

describe("the patch of a pod's status", () => {
  for (const { name, stored, wanted, patch } of cases)
    it(name, () => expect(planStatusPatch(stored, wanted)).toEqual(patch));
});

import { createVirtualClock } from "@coxswain/runtime/clock";
import { describe, expect, it } from "vitest";
import type { AdmissionAttributes } from "../admission.js";
import { attributesOf, refusal } from "../attributes.test.support.js";
import { createEventRateLimit } from "./event-rate-limit.js";

const request = { warn: () => {}, annotate: () => {} };
const event = (more: Partial<AdmissionAttributes> = {}): AdmissionAttributes =>
  attributesOf("events", { involvedObject: { kind: "Pod", name: "p" } }, { request, ...more });
const reached = "Too many requests: limit reached on type Namespace for key n";

/** As recorded from kube-apiserver 1.36.4 with this limit. */
describe("EventRateLimit of two in a namespace, and one each second", () => {
  const cases: { name: string; third: AdmissionAttributes; afterMs?: number; want: string | undefined }[] = [
    { name: "a third is refused", third: event(), want: reached },
    { name: "a third comes through a second later", third: event(), afterMs: 1000, want: undefined },
    { name: "a third of another namespace comes through", third: event({ namespace: "m" }), want: undefined },
    { name: "a dry run comes through", third: event({ dryRun: true }), want: undefined },
    {
      name: "a third of events.k8s.io comes through",
      third: event({ request: { ...request, version: { group: "events.k8s.io", version: "v1" } } }),
      want: undefined,
    },
    { name: "another kind comes through", third: attributesOf("pods", {}), want: undefined },
  ];
  for (const { name, third, afterMs = 0, want } of cases) {
    it(name, async () => {
      const clock = createVirtualClock();
      const plugin = createEventRateLimit([{ type: "Namespace", qps: 1, burst: 2, cacheSize: 0 }], clock);
      expect([await refusal(plugin, event()), await refusal(plugin, event())]).toEqual([undefined, undefined]);
      await clock.advance(afterMs);
      expect(await refusal(plugin, third)).toBe(want);
    });
  }
});

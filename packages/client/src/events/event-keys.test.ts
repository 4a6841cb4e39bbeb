import type { Event } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { eventKey, similarKey, spamKey } from "./event-keys.js";

const event = (members: Partial<Event> = {}): Event => ({
  metadata: {},
  involvedObject: { kind: "Pod", namespace: "default", name: "a", uid: "1", apiVersion: "v1" },
  source: { component: "kubelet", host: "node-1" },
  type: "Normal",
  reason: "Pulled",
  message: "m",
  ...members,
});

describe("keys of events", () => {
  const cases = [
    { name: "another message", other: event({ message: "n" }), same: ["similar", "spam"] },
    { name: "another reason", other: event({ reason: "Created" }), same: ["spam"] },
    { name: "another host", other: event({ source: { component: "kubelet", host: "node-2" } }), same: [] },
    { name: "the same letters in other members", other: event({ reason: "Pulledm", message: "" }), same: ["spam"] },
    { name: "an equal one", other: event(), same: ["event", "similar", "spam"] },
  ];
  for (const { name, other, same } of cases)
    it(name, () => {
      const keys = { event: eventKey, similar: similarKey, spam: spamKey };
      const equal = Object.entries(keys).filter(([, key]) => key(event()) === key(other));
      expect(equal.map(([key]) => key)).toEqual(same);
    });

  it("of a hundred thousand events that differ by one letter or two no two are the same", () => {
    const seen = new Set<number>();
    for (let i = 0; i < 100_000; i++) seen.add(eventKey(event({ message: `pod-${i}` })));
    expect(seen.size).toBe(100_000);
  });
});

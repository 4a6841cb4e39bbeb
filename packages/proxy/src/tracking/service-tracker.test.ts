import { describe, expect, it } from "vitest";
import { service, slice } from "../frontends/service.test.support.js";
import { ServiceTracker } from "./service-tracker.js";

describe("tracking services", () => {
  const changes = (tracker: ServiceTracker): string[] => [...tracker.takeChanges().services];

  it("a service and its slices change the service, and nothing else", () => {
    const tracker = new ServiceTracker("IPv4");
    tracker.putService(service({}, { name: "other" }));
    tracker.putService(service());
    expect(changes(tracker)).toEqual(["ns/other", "ns/svc"]);
    tracker.putSlice(slice(["10.0.0.1"]));
    expect(changes(tracker)).toEqual(["ns/svc"]);
    expect([...tracker.get("ns/svc").slices]).toHaveLength(1);
    expect(changes(tracker)).toEqual([]);
  });

  it("an endpoint that moves between slices is in both until the first is gone", () => {
    const tracker = new ServiceTracker("IPv4");
    tracker.putSlice(slice(["10.0.0.1"], { name: "one" }));
    tracker.putSlice(slice(["10.0.0.1"], { name: "two" }));
    expect([...tracker.get("ns/svc").slices]).toHaveLength(2);
    tracker.removeSlice(slice([], { name: "one" }));
    expect([...tracker.get("ns/svc").slices].map(({ metadata }) => metadata?.name)).toEqual(["two"]);
  });

  it("slices that come before their service wait for it", () => {
    const tracker = new ServiceTracker("IPv4");
    tracker.putSlice(slice(["10.0.0.1"]));
    expect(tracker.get("ns/svc").service).toBeUndefined();
    tracker.putService(service());
    expect([...tracker.get("ns/svc").slices]).toHaveLength(1);
  });

  it("a slice of no service is left out", () => {
    const tracker = new ServiceTracker("IPv4");
    tracker.putSlice({ ...slice(["10.0.0.1"]), metadata: { namespace: "ns", name: "lost" } });
    expect(changes(tracker)).toEqual([]);
  });

  it("trigger times of slices are taken with the changes", () => {
    const tracker = new ServiceTracker("IPv4");
    tracker.putService(service());
    const made = slice(["10.0.0.1"]);
    const annotations = { "endpoints.kubernetes.io/last-change-trigger-time": "2026-01-01T00:00:01Z" };
    tracker.putSlice({ ...made, metadata: { ...made.metadata, annotations } });
    expect(tracker.takeChanges().triggerTimes).toEqual([Date.parse("2026-01-01T00:00:01Z")]);
    expect(tracker.takeChanges().triggerTimes).toEqual([]);
  });
});

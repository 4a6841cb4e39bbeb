import { describe, expect, it } from "vitest";
import { portHash, sortPorts, sortSubsetPorts, subsetHash, subsetPortHash } from "./hash-order.js";
import { belongsInEndpoints, hostnameIn, podAddresses } from "./pod-addresses.js";
import { servedPod, testService, testStart } from "./service-endpoints.test.support.js";
import { targetPortOf } from "./service-port.js";
import { changesOf } from "./services-of-pod.js";
import { managedByLabel, serviceNameLabel } from "./slice-labels.js";
import { createSliceTracker } from "./slice-tracker.js";
import { createTriggerTimes, withTriggerTime } from "./trigger-times.js";

describe("the port of a pod behind a port of the service", () => {
  const sidecar = servedPod();
  sidecar.spec?.containers.splice(0);
  const initContainer = { name: "s", image: "i", ports: [{ name: "web", containerPort: 9, protocol: "TCP" as const }] };
  const rows = [
    { name: "a number stays as it is", pod: servedPod(), target: 8080, port: 8080 },
    { name: "a name is one of a container's ports", pod: servedPod({ ports: { web: 81 } }), target: "web", port: 81 },
    { name: "an unknown name is no port", pod: servedPod({ ports: { web: 81 } }), target: "other", port: undefined },
    {
      name: "a sidecar's ports count",
      pod: { ...sidecar, spec: { containers: [], initContainers: [{ ...initContainer, restartPolicy: "Always" }] } },
      target: "web",
      port: 9,
    },
    {
      name: "an init container's ports do not",
      pod: { ...sidecar, spec: { containers: [], initContainers: [initContainer] } },
      target: "web",
      port: undefined,
    },
  ];
  for (const { name, pod, target, port } of rows)
    it(name, () => expect(targetPortOf(pod, { port: 80, targetPort: target, protocol: "TCP" })).toBe(port));
  it("a name for another protocol is another port", () =>
    expect(
      targetPortOf(servedPod({ ports: { dns: 53 } }), { port: 53, targetPort: "dns", protocol: "UDP" }),
    ).toBeUndefined());
});

describe("pods that belong in endpoints", () => {
  const rows = [
    { name: "a running pod with an address", pod: servedPod(), includeTerminating: false, belongs: true },
    { name: "not one without an address", pod: servedPod({ ips: [] }), includeTerminating: true, belongs: false },
    {
      name: "not one that has ended",
      pod: servedPod({ phase: "Succeeded" }),
      includeTerminating: true,
      belongs: false,
    },
    {
      name: "one that is going, if asked for",
      pod: servedPod({ isGoing: true }),
      includeTerminating: true,
      belongs: true,
    },
    { name: "not otherwise", pod: servedPod({ isGoing: true }), includeTerminating: false, belongs: false },
  ];
  for (const { name, pod, includeTerminating, belongs } of rows)
    it(name, () => expect(belongsInEndpoints(pod, { includeTerminating })).toBe(belongs));
  it("their addresses are those of the family, in canonical form", () => {
    const pod = servedPod({ ips: ["010.0.0.1", "FD00:0::1"] });
    expect(podAddresses(pod, "IPv4")).toEqual(["10.0.0.1"]);
    expect(podAddresses(pod, "IPv6")).toEqual(["fd00::1"]);
  });
  it("their host names count within the service of the same name", () => {
    expect(hostnameIn(testService(), servedPod({ hostname: "h", subdomain: "web" }))).toBe("h");
    expect(hostnameIn(testService(), servedPod({ hostname: "h", subdomain: "other" }))).toBeUndefined();
  });
});

describe("which changes of a pod concern services", () => {
  const rows = [
    {
      name: "readiness changes the pod",
      next: servedPod({ isReady: false }),
      podChanged: true,
      membershipChanged: false,
    },
    {
      name: "deletion changes the pod",
      next: servedPod({ isGoing: true }),
      podChanged: true,
      membershipChanged: false,
    },
    {
      name: "an address changes the pod",
      next: servedPod({ ips: ["10.0.0.2"] }),
      podChanged: true,
      membershipChanged: false,
    },
    {
      name: "a host name changes membership",
      next: servedPod({ hostname: "h" }),
      podChanged: false,
      membershipChanged: true,
    },
    {
      name: "nothing else does",
      next: { ...servedPod(), apiVersion: "v1" as const },
      podChanged: false,
      membershipChanged: false,
    },
  ];
  for (const { name, next, ...changes } of rows) it(name, () => expect(changesOf(servedPod(), next)).toEqual(changes));
});

describe("the trigger time", () => {
  const at = (seconds: number): string => `2026-01-01T00:00:${String(seconds).padStart(2, "0")}Z`;
  const readyAt = (name: string, seconds: number) => {
    const pod = servedPod({ name });
    for (const condition of pod.status?.conditions ?? []) condition.lastTransitionTime = at(seconds);
    return pod;
  };
  it("is the service's creation at first, then the oldest change since, then none", () => {
    const times = createTriggerTimes();
    expect(times.next(testService(), [readyAt("a", 5)])).toBe(at(0));
    expect(times.next(testService(), [readyAt("a", 5), readyAt("b", 9), readyAt("c", 7)])).toBe(at(7));
    expect(times.next(testService(), [readyAt("a", 5), readyAt("b", 9)])).toBeUndefined();
    times.forget("default/web");
    expect(times.next(testService(), [])).toBe(at(0));
    expect(testStart).toBe(Date.parse(at(0)));
  });
  it("is annotated, and taken away when there is none", () => {
    const annotated = withTriggerTime({ a: "b" }, at(1));
    expect(annotated).toEqual({ a: "b", "endpoints.kubernetes.io/last-change-trigger-time": at(1) });
    expect(withTriggerTime(annotated, undefined)).toEqual({ a: "b" });
  });
});

describe("what was written of slices", () => {
  const slice = (uid: string, generation: number) => ({
    metadata: {
      name: uid,
      namespace: "default",
      uid,
      generation,
      labels: { [serviceNameLabel]: "web", [managedByLabel]: "x" },
    },
    addressType: "IPv4" as const,
  });
  it("a cache without a written slice, with an older one, or with a deleted one is behind", () => {
    const tracker = createSliceTracker();
    expect(tracker.isBehind("default/web", [])).toBe(false);
    tracker.wrote(slice("a", 2));
    expect(tracker.isBehind("default/web", [])).toBe(true);
    expect(tracker.isBehind("default/web", [slice("a", 1)])).toBe(true);
    expect(tracker.isBehind("default/web", [slice("a", 2), slice("b", 1)])).toBe(false);
    tracker.deleted(slice("a", 2));
    expect(tracker.isBehind("default/web", [slice("a", 2)])).toBe(true);
    expect(tracker.isBehind("default/web", [])).toBe(false);
  });
  it("changes and deletions by others are synced, own ones are not", () => {
    const tracker = createSliceTracker();
    tracker.wrote(slice("a", 2));
    expect([slice("a", 2), slice("a", 3), slice("b", 1)].map(tracker.shouldSync)).toEqual([false, true, true]);
    expect(tracker.gone(slice("a", 2))).toBe(true);
    tracker.deleted(slice("c", 1));
    expect(tracker.gone(slice("c", 1))).toBe(false);
  });
});

describe("the order of ports and subsets", () => {
  it("is by the hash that upstream has", () => {
    // Printed by a Go program with k8s.io/api 0.36.4 and dump.ForHash of k8s.io/utils.
    const port = { name: "http", port: 80, protocol: "TCP" as const };
    expect(portHash(port)).toBe("b6c4d325122a5ba6f795b0bbffcebb6f");
    expect(subsetPortHash({ ...port, appProtocol: "h2c" })).toBe("ac546aa237f75569f100c9c2e6a2b115");
    const targetRef = { kind: "Pod", namespace: "default", name: "p", uid: "u" };
    const addresses = [{ ip: "10.0.0.1", nodeName: "n1", targetRef }, { ip: "10.0.0.2" }];
    expect(subsetHash({ addresses, ports: [{ ...port, appProtocol: "h2c" }] })).toBe(
      "a17d5711128b86eb629aca15b4f09347",
    );
  });
  it("does not depend on the order in which they come", () => {
    const ports = ["http", "https", "metrics", "admin"].map((name, at) => ({
      name,
      port: 80 + at,
      protocol: "TCP" as const,
    }));
    expect(sortPorts([...ports].reverse())).toEqual(sortPorts(ports));
    expect(sortSubsetPorts([...ports].reverse())).toEqual(sortSubsetPorts(ports));
  });
});

import { deepFreeze } from "@coxswain/apimachinery/json";
import { describe, expect, it } from "vitest";
import type { StoredPod } from "./stored.js";
import { ephemeralContainersStrategy, resizeStrategy } from "./subresources.js";

const stored = (): StoredPod =>
  ({
    metadata: { name: "p", generation: 3, labels: { a: "b" } },
    spec: { containers: [{ name: "c", image: "i", resources: { limits: { cpu: "1" } } }], hostname: "h" },
    status: { phase: "Running" },
  }) as StoredPod;

const context = { now: 0, gates: { enabled: () => true } };

/** What is left of a change, after `view` prepared it. */
function prepared(view: typeof resizeStrategy, change: (pod: StoredPod) => void): StoredPod {
  const pod = stored();
  change(pod);
  view.prepareForUpdate?.(pod, deepFreeze(stored()), context);
  return pod;
}

describe("ephemeral containers", () => {
  const debug = { name: "e", image: "i" };
  it("are all that this way takes", () => {
    const pod = prepared(ephemeralContainersStrategy, ({ metadata, spec, status }) => {
      metadata.labels = { other: "x" };
      Object.assign(spec, { hostname: "other", ephemeralContainers: [debug] });
      status.phase = "Failed";
    });
    expect(pod).toEqual({
      ...stored(),
      metadata: { ...stored().metadata, generation: 4 },
      spec: { ...stored().spec, ephemeralContainers: [debug] },
    });
  });
  it("without a change count no generation", () =>
    expect(prepared(ephemeralContainersStrategy, () => undefined)).toEqual(stored()));
});

describe("a resize", () => {
  const [before] = stored().spec.containers;
  it("takes resources and their policy, and nothing else", () => {
    const policy = [{ resourceName: "cpu", restartPolicy: "NotRequired" }];
    const pod = prepared(resizeStrategy, ({ spec }) =>
      Object.assign(spec, {
        hostname: "other",
        containers: [{ name: "c", image: "other", resources: { limits: { cpu: "2" } }, resizePolicy: policy }],
      }),
    );
    expect(pod.spec).toEqual({
      hostname: "h",
      containers: [{ ...before, resources: { limits: { cpu: "2" } }, resizePolicy: policy }],
    });
    expect(pod.metadata.generation).toBe(4);
  });
  it("with containers added is left to validation", () => {
    const containers = [before, { name: "d", image: "i" }];
    expect(prepared(resizeStrategy, ({ spec }) => Object.assign(spec, { containers })).spec.containers).toEqual(
      containers,
    );
  });
  it("takes the pod's own resources", () =>
    expect(
      prepared(resizeStrategy, ({ spec }) => Object.assign(spec, { resources: { limits: { cpu: "4" } } })).spec
        .resources,
    ).toEqual({ limits: { cpu: "4" } }));
});

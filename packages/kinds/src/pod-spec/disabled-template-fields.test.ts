import { describe, expect, it } from "vitest";
import { builtInKinds } from "../index.js";

const off = { now: 0, gates: { enabled: (gate: string) => gate !== "ContainerStopSignals" } };
const template = () => ({
  metadata: { labels: { a: "b" } },
  spec: { containers: [{ name: "c", image: "x", lifecycle: { stopSignal: "SIGTERM" } }] },
});
const rows = [
  { resource: "deployments", object: () => ({ metadata: {}, spec: { template: template() }, status: {} }) },
  { resource: "jobs", object: () => ({ metadata: {}, spec: { template: template() }, status: {} }) },
  {
    resource: "cronjobs",
    object: () => ({ metadata: {}, spec: { jobTemplate: { spec: { template: template() } } }, status: {} }),
  },
  { resource: "podtemplates", object: () => ({ metadata: {}, template: template() }) },
];

describe("a switched-off feature that the tables do not know", () => {
  for (const { resource, object } of rows) {
    it(`is dropped from the template of ${resource}`, () => {
      const made = object();
      builtInKinds.find((kind) => kind.resource === resource)?.strategy.prepareForCreate?.(made as never, off as never);
      expect(JSON.stringify(made)).not.toContain("stopSignal");
    });
  }
});

import type { Container } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { aggregateResources } from "./aggregate.js";

const asks = (cpu: string, more: Partial<Container> = {}): Container => ({
  name: "c",
  resources: { requests: { cpu } },
  ...more,
});
const sidecar = (cpu: string): Container => asks(cpu, { restartPolicy: "Always" });

describe("what containers need together", () => {
  const cases = [
    { name: "regular ones add up", containers: [asks("1"), asks("500m")], init: [], cpu: "1500m" },
    { name: "an init container counts alone", containers: [asks("1")], init: [asks("3"), asks("2")], cpu: "3" },
    { name: "a sidecar runs on beside the regular ones", containers: [asks("1")], init: [sidecar("2")], cpu: "3" },
    {
      name: "an init container starts beside the sidecars before it",
      containers: [asks("1")],
      init: [sidecar("2"), asks("5")],
      cpu: "7",
    },
    { name: "but not beside those after it", containers: [asks("1")], init: [asks("5"), sidecar("2")], cpu: "5" },
  ];
  for (const { name, containers, init, cpu } of cases) {
    it(name, () =>
      expect(aggregateResources({ containers, initContainers: init }, "requests").get("cpu")?.toString()).toBe(cpu),
    );
  }
});

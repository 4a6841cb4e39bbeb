import { expect, it } from "vitest";
import type { CachedPod } from "../objects/cached-pod.js";
import { createSimulatedHost } from "./simulated-host.js";

const pod = (label: string): CachedPod => ({
  metadata: { name: "a", namespace: "default", uid: "1", labels: { tier: label } },
  spec: { containers: [] },
});

it("volumes that are mounted already are filled from the pod as the API server has it now", async () => {
  const host = createSimulatedHost({
    environment: () => Promise.resolve(new Map()),
    mount: (place) =>
      Promise.resolve(
        new Map([
          [
            "info",
            {
              kind: "files" as const,
              read: () => new Map([["tier", Buffer.from(place.pod.metadata?.labels?.["tier"] ?? "")]]),
              mode: () => 0o644,
              refresh: () => Promise.resolve(),
            },
          ],
        ]),
      ),
  });
  const volumes = await host.mount(pod("front"), new AbortController().signal);
  host.renew(pod("back"));
  const source = volumes.get("info");
  expect(source?.kind === "files" && String(source.read().get("tier"))).toBe("back");
});

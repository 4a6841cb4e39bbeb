import type { Node } from "@coxswain/api/core/v1";
import { testRuntime } from "@coxswain/runtime";
import { expect, it } from "vitest";
import { type NodeStatusOptions, NodeStatusReporter } from "./node-status.js";

it("a node without a runtime is reported as not ready, although its images cannot be listed", async () => {
  const written: Node["status"][] = [];
  const patch = async (_: string, { strategic }: { strategic: Node }): Promise<void> =>
    void written.push(strategic.status);
  const context = {
    nodeName: "node",
    runtime: testRuntime(1),
    client: { core: { v1: { nodes: () => ({ subresource: () => ({ patch }) }) } } },
    containers: { listImages: () => Promise.reject(new Error("connection refused")) },
    node: () => ({ status: { conditions: [{ type: "Ready", status: "True" }] } }),
  } as unknown as NodeStatusOptions["context"];
  const reporter = new NodeStatusReporter({ context, record: () => {}, signal: new AbortController().signal });
  await reporter.report({ pressures: [], problems: ["container runtime is down"] });
  expect(written[0]?.conditions?.find(({ type }) => type === "Ready")).toMatchObject({
    status: "False",
    reason: "KubeletNotReady",
    message: "container runtime is down",
  });
  expect(written[0]?.images).toBeUndefined();
});

import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Container } from "@coxswain/api/core/v1";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RealTestNode, startRealTestNode } from "./real-node.test.support.js";

const rootDir = "/var/lib/kubelet-users";
let node: RealTestNode;
beforeAll(async () => {
  node = await startRealTestNode({ name: "users", rootDir });
  await node.client.core.v1.configmaps("default").create({ metadata: { name: "text" }, data: { key: "value" } });
});
afterAll(() => node?.stop());

const handler = async (): Promise<boolean> => {
  const { status } = await node.client.core.v1.nodes().get("users");
  return status?.runtimeHandlers?.some(({ features }) => features?.userNamespaces) ?? false;
};

it("a pod with users of its own has them, in its volumes too; a runtime without them refuses it in upstream's words", async () => {
  const script = `{ cat /proc/self/uid_map; id -u; stat -c %u /text/key /scratch /etc/hosts; touch /scratch/file; cat /text/key; } > /dev/termination-log`;
  const pod = await node.run("own", script, {
    hostUsers: false,
    volumes: [
      { name: "text", configMap: { name: "text" } },
      { name: "scratch", emptyDir: {} },
    ],
    containers: [
      {
        volumeMounts: [
          { name: "text", mountPath: "/text" },
          { name: "scratch", mountPath: "/scratch" },
        ],
      } as Container,
    ],
  });
  if (!(await handler())) {
    const refusal =
      "FailedCreatePodSandBox: Failed to create pod sandbox: can't set `spec.hostUsers: false`, runtime does not support user namespaces";
    await node.until("it is refused", async () => (await node.events("own")).includes(refusal));
    expect((await node.pod("own")).status?.phase).toBe("Pending");
    return;
  }
  await node.until("it is over", async () =>
    ["Succeeded", "Failed"].includes((await node.pod("own")).status?.phase ?? ""),
  );
  const [status] = (await node.pod("own")).status?.containerStatuses ?? [];
  const lines = (status?.state?.terminated?.message ?? "")
    .split("\n")
    .map((line) => line.trim().replaceAll(/\s+/g, " "));
  expect(lines).toEqual(["0 65536 65536", "0", "0", "0", "0", "value"]);
  const directory = join(rootDir, "pods", pod.metadata?.uid ?? "");
  // What the pod's root wrote is root's on the node's disk, by the mapping of the mount.
  expect((await stat(join(directory, "volumes/kubernetes.io~empty-dir/scratch/file"))).uid).toBe(0);
});

import { formatGroupVersion, type KubernetesObject } from "@coxswain/apimachinery/meta";
import { type AnyKind, builtInKinds } from "@coxswain/kinds";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describe, expect, it } from "vitest";
import { startApiServer } from "../../server/compose/api-server.js";
import { createInProcessClient } from "../../server/in-process/in-process-client.js";

const folderOf = (kind: AnyKind, namespace: string): string => {
  const root = kind.group === "" ? `/api/${kind.version}` : `/apis/${formatGroupVersion(kind)}`;
  return namespace === "" ? `${root}/${kind.resource}` : `${root}/namespaces/${namespace}/${kind.resource}`;
};

describe("what a server makes at its start, unchecked", () => {
  it("would have passed the checks: sent again, all that is wrong with it is that it is there", async () => {
    const server = await startApiServer({
      runtime: systemRuntime(),
      store: createMemoryStore({ runtime: systemRuntime() }),
      endpoint: { address: "192.0.2.1", port: 6443 },
      identity: { hostname: "vm" },
    });
    const client = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
    const answers: [string, unknown][] = [];
    for (const kind of builtInKinds) {
      const { items } = (await client.request({ method: "GET", path: folderOf(kind, "") })) as {
        items: KubernetesObject[];
      };
      for (const item of items) {
        const { resourceVersion: _, ...metadata } = item.metadata;
        const sent = client.request({
          method: "POST",
          path: folderOf(kind, metadata.namespace ?? ""),
          body: { ...item, apiVersion: formatGroupVersion(kind), kind: kind.kind, metadata },
        });
        answers.push([
          `${kind.resource} ${metadata.name}`,
          await sent.then(
            () => "made",
            (err: { status?: { reason?: string; message?: string } }) =>
              err.status?.reason === "AlreadyExists" ? "there" : err.status?.message,
          ),
        ]);
      }
    }
    await server.stop();
    const itsAddress = ["services kubernetes", expect.stringContaining("provided IP is already allocated")];
    expect(answers.filter(([, answer]) => answer !== "there")).toEqual([itsAddress]);
    expect(answers.length).toBeGreaterThan(150);
  });
});

import type { ObjectMeta } from "@coxswain/apimachinery/meta";
import { startApiServer } from "@coxswain/apiserver";
import { createInProcessClients } from "@coxswain/cluster";
import { testRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runHistory } from "./history-command.js";

const runtime = testRuntime(1);
const administrator = { name: "ann", groups: ["system:masters", "system:authenticated"] };

async function open() {
  const server = await startApiServer({ store: createMemoryStore({ runtime }), runtime, history: { bytes: 8 << 20 } });
  return {
    server,
    client: createInProcessClients({ server, runtime, dropsManagedFields: false })(administrator, "test"),
  };
}
let opened: Awaited<ReturnType<typeof open>>;
beforeAll(async () => {
  opened = await open();
});
afterAll(() => opened.server.stop());

async function restore(what: string, { metadata }: { readonly metadata?: ObjectMeta | undefined }): Promise<string[]> {
  const lines: string[] = [];
  const place = {
    client: opened.client,
    namespace: "default",
    print: (text: string) => lines.push(text),
    now: () => 0,
  };
  await runHistory(["restore", what, "--to", metadata?.resourceVersion ?? ""], place);
  return lines.map((text) => text.replace(/r\d+$/, "rN"));
}

it("a Job that is gone is made again with a selector of its own", async () => {
  const jobs = opened.client.batch.v1.jobs("default");
  const template = {
    metadata: { labels: { app: "once" } },
    spec: { restartPolicy: "Never" as const, containers: [{ name: "c", image: "busybox" }] },
  };
  const made = await jobs.create({ metadata: { name: "once" }, spec: { template } });
  // There it keeps the one that it has.
  await jobs.patch("once", { merge: { spec: { suspend: true } } });
  expect(await restore("job/once", made)).toEqual(["    spec.suspend: true → false", "jobs/once changed back to rN"]);
  await jobs.delete("once", { propagationPolicy: "Background" });
  expect(await restore("job/once", made)).toEqual(["jobs/once created as it was at rN"]);
  const again = await jobs.get("once");
  expect(again.spec?.template?.metadata?.labels).toMatchObject({
    app: "once",
    "batch.kubernetes.io/controller-uid": again.metadata?.uid,
  });
  expect(again.metadata?.uid).not.toBe(made.metadata?.uid);
});

it("a claim whose volume is gone is given another one; one whose volume is there is bound to it again", async () => {
  const { persistentvolumeclaims, persistentvolumes } = opened.client.core.v1;
  const claims = persistentvolumeclaims("default");
  const annotations = { "pv.kubernetes.io/bind-completed": "yes", note: "kept" };
  const claim = (name: string, volumeName: string) => ({
    metadata: { name, annotations },
    spec: {
      accessModes: ["ReadWriteOnce" as const],
      resources: { requests: { storage: "1Gi" } },
      volumeName,
    },
  });
  await persistentvolumes().create({
    metadata: { name: "there" },
    spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/tmp/there" } },
  });
  const gone = await claims.create(claim("one", "gone"));
  const there = await claims.create(claim("other", "there"));
  for (const name of ["one", "other"]) {
    await claims.patch(name, { merge: { metadata: { finalizers: null } } });
    await claims.delete(name);
  }
  expect(await restore("pvc/one", gone)).toEqual([
    "left out: volume gone, which is gone with its data",
    "persistentvolumeclaims/one created as it was at rN",
  ]);
  expect(await restore("pvc/other", there)).toEqual(["persistentvolumeclaims/other created as it was at rN"]);
  const [one, other] = [await claims.get("one"), await claims.get("other")];
  expect(one.metadata?.annotations).toEqual({ note: "kept" });
  expect(one.spec).not.toHaveProperty("volumeName");
  expect(other.spec?.volumeName).toBe("there");
});

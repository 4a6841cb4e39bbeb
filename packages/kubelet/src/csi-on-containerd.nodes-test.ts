import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Node, PersistentVolumeClaim, Pod, PodSpec } from "@coxswain/api/core/v1";
import type { VolumeAttachment } from "@coxswain/api/storage/v1";
import { type ApiServer, createInProcessTransport, startApiServer, type UserInfo } from "@coxswain/apiserver";
import { type Client, createClient } from "@coxswain/client";
import { systemRuntime } from "@coxswain/runtime";
import { pollUntil } from "@coxswain/runtime/wait";
import { createMemoryStore } from "@coxswain/storage/memory";
import { busyboxRef } from "@coxswain/tools/images";
import { startTestMachine, type TestMachine } from "@coxswain/tools/nodes";
import { cachedOwnProgram } from "@coxswain/tools/programs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attachmentName } from "./csi/volume-data.js";
import type { RunningNodes } from "./running-nodes.js";
import { startNode } from "./start-node.js";

const rootDir = "/var/lib/kubelet";
const driver = "mock.csi.example.com";
/** One of those that the driver begins with. */
const handle = "1";
const uniqueName = `kubernetes.io/csi/${driver}^${handle}`;
const runtime = systemRuntime();
let machine: TestMachine;
let server: ApiServer;
let client: Client;
let nodes: RunningNodes;
/** What the driver printed: registrations, and calls with their codes. */
const lines: string[] = [];
let stopDriver: () => Promise<void>;

const clientOf = (user: UserInfo): Client =>
  createClient({ transport: createInProcessTransport(server, { user }), runtime, onWarning: () => {} });

/** The kubelet; what ran under an earlier one is still there. */
async function startKubelet(): Promise<void> {
  nodes = startNode({
    client: clientOf({ name: "system:node:real", groups: ["system:nodes", "system:authenticated"] }),
    spec: { name: "real", address: "10.88.0.1" },
    config: { cgroupRoot: machine.cgroupRoot, podLogsDir: join(machine.folder, "pod-logs") },
    endpoint: machine.endpoint,
    rootDir,
    kubeletPort: 10250,
    runtime,
  });
  await nodes.ready;
}

function startDriver(): () => Promise<void> {
  const child = spawn(cachedOwnProgram("csi-mock") ?? "", ["--name", driver, "--attach-limit", "2"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  return async () => {
    if (!child.kill("SIGTERM")) return;
    await new Promise((resolve) => child.once("exit", resolve));
  };
}

beforeAll(async () => {
  machine = await startTestMachine();
  server = await startApiServer({
    runtime,
    store: createMemoryStore({ runtime }),
    admission: { enabled: ["NodeRestriction"], disabled: ["ServiceAccount"] },
  });
  client = clientOf({ name: "admin", groups: ["system:masters", "system:authenticated"] });
  await startKubelet();
  stopDriver = startDriver();
  await until("the driver is registered", () => lines.includes("registered true "));
});
afterAll(async () => {
  await nodes?.stop();
  await stopDriver?.();
  await server?.stop();
});

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  if (await pollUntil(async () => isSo(), { intervalMs: 100, timeoutMs: 60_000 })) return;
  const { items } = await client.core.v1.events("default").list();
  throw new Error(`never: ${what}\n${JSON.stringify([lines, items.map(({ message }) => message)], null, 1)}`);
}

const pods = () => client.core.v1.pods("default");
const node = () => client.core.v1.nodes().get("real");
const callsOf = (from: number): string[] => lines.slice(from);
const podDirectories = async (): Promise<string[]> => {
  const found: string[] = [];
  for (const uid of await readdir(join(rootDir, "pods")))
    for (const name of await readdir(join(rootDir, "pods", uid, "volumes", "kubernetes.io~csi")).catch(() => []))
      found.push(name);
  return found;
};

async function createPod(name: string, spec: Partial<PodSpec>, script = "echo written > /v/file"): Promise<void> {
  await pods().create({
    metadata: { name },
    spec: {
      nodeName: "real",
      terminationGracePeriodSeconds: 1,
      containers: [
        {
          name: "main",
          image: busyboxRef,
          imagePullPolicy: "IfNotPresent",
          command: ["sh", "-c", `${script}; trap exit TERM; while :; do sleep 1; done`],
          volumeMounts: [{ name: "v", mountPath: "/v" }],
        },
      ],
      ...spec,
    },
  });
}
const isRunning = async (name: string): Promise<boolean> =>
  (await pods().get(name)).status?.containerStatuses?.[0]?.state?.running !== undefined;
const isGone = (name: string): Promise<boolean> =>
  pods()
    .get(name)
    .then(
      () => false,
      () => true,
    );
const containerOf = ({ status }: Pod): string | undefined => status?.containerStatuses?.[0]?.containerID;

/** As attach-detach controller and external-attacher do it. */
async function attach(): Promise<void> {
  const attachments = client.storage.v1.volumeattachments();
  const name = attachmentName(handle, driver, "real");
  await attachments.create({
    metadata: { name },
    spec: { attacher: driver, nodeName: "real", source: { persistentVolumeName: "pv" } },
  });
  await attachments
    .subresource<VolumeAttachment>("status")
    .patch(name, { merge: { status: { attached: true, attachmentMetadata: { device: "/dev/mock" } } } });
  await client.core.v1
    .nodes()
    .subresource<Node>("status")
    .patch("real", { merge: { status: { volumesAttached: [{ name: uniqueName, devicePath: "" }] } } });
}

async function createClaim(): Promise<void> {
  const claims = client.core.v1.persistentvolumeclaims("default");
  const size = { storage: "1Gi" };
  const claim = await claims.create({
    metadata: { name: "data" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: size }, volumeName: "pv", storageClassName: "" },
  });
  await client.core.v1.persistentvolumes().create({
    metadata: { name: "pv" },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: size,
      claimRef: { namespace: "default", name: "data", uid: claim.metadata?.uid ?? "" },
      csi: { driver, volumeHandle: handle, fsType: "ext4" },
    },
  });
  await claims
    .subresource<PersistentVolumeClaim>("status")
    .patch("data", { merge: { status: { phase: "Bound", capacity: size } } });
}

const withClaim = { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data" } }] };

describe("upstream's mock driver", () => {
  it("is in the CSINode with its limit", async () => {
    const { spec } = await client.storage.v1.csinodes().get("real");
    expect(spec.drivers).toMatchObject([{ name: driver, nodeID: driver, allocatable: { count: 2 } }]);
  });

  it("a claim's volume waits to be attached, is staged and published, survives the kubelet's end, and grows", async () => {
    await createClaim();
    await createPod("claimed", withClaim);
    await until("the volume is reported in use", async () => (await node()).status?.volumesInUse?.[0] === uniqueName);
    expect(lines.filter((line) => line.startsWith("NodeStage"))).toEqual([]);
    await attach();
    await until("the pod runs", () => isRunning("claimed"));
    expect(lines.filter((line) => /^Node(Stage|Publish)/.test(line))).toEqual([
      `NodeStageVolume ${handle} OK`,
      `NodePublishVolume ${handle} OK`,
    ]);
    const before = containerOf(await pods().get("claimed"));
    let from = lines.length;
    await nodes.stop();
    await startKubelet();
    await until("it is published again", () => callsOf(from).includes(`NodePublishVolume ${handle} OK`));
    expect(containerOf(await pods().get("claimed"))).toBe(before);
    from = lines.length;
    await client.core.v1.persistentvolumes().patch("pv", { merge: { spec: { capacity: { storage: "2Gi" } } } });
    await pods().patch("claimed", { merge: { metadata: { annotations: { look: "again" } } } });
    await until("it is expanded", () => callsOf(from).includes(`NodeExpandVolume ${handle} OK`));
    await until("the claim reports it", async () => {
      const { status } = await client.core.v1.persistentvolumeclaims("default").get("data");
      return status?.capacity?.["storage"] === "2Gi";
    });
  });

  it("a pod that was deleted while there was no kubelet leaves nothing", async () => {
    const from = lines.length;
    await nodes.stop();
    await pods().delete("claimed", { gracePeriodSeconds: 0 });
    await startKubelet();
    await until("it is unstaged", () => callsOf(from).includes(`NodeUnstageVolume ${handle} OK`));
    expect(callsOf(from)).toContain(`NodeUnpublishVolume ${handle} OK`);
    await until("it is not in use", async () => ((await node()).status?.volumesInUse ?? []).length === 0);
    await until("nothing is left", async () => (await podDirectories()).length === 0);
    expect(await readdir(join(rootDir, "plugins/kubernetes.io/csi"))).toEqual([]);
  });

  it("a volume in the pod's own spec is published and taken back", async () => {
    await client.storage.v1.csidrivers().create({
      metadata: { name: driver },
      spec: { volumeLifecycleModes: ["Persistent", "Ephemeral"], podInfoOnMount: true },
    });
    const from = lines.length;
    // The driver makes no directory of its own here, so nothing is written into it.
    await createPod("inline", { volumes: [{ name: "v", csi: { driver } }] }, "true");
    await until("the pod runs", () => isRunning("inline"));
    expect(callsOf(from)).toEqual([expect.stringMatching(/^NodePublishVolume csi-[0-9a-f]{64} OK$/)]);
    await pods().delete("inline");
    await until("the pod is gone", () => isGone("inline"));
    expect(callsOf(from)[1]).toMatch(/^NodeUnpublishVolume csi-[0-9a-f]{64} OK$/);
  });

  it("a driver that ends is in the CSINode no more, and a pod waits for it", async () => {
    await stopDriver();
    await until(
      "it is gone",
      async () => ((await client.storage.v1.csinodes().get("real")).spec.drivers ?? []).length === 0,
    );
    await createPod("waits", withClaim);
    await until("its event names the driver", async () => {
      const { items } = await client.core.v1.events("default").list({ fieldSelector: "involvedObject.name=waits" });
      return items.some(({ message }) =>
        message?.includes(`driver name ${driver} not found in the list of registered CSI drivers`),
      );
    });
    await pods().delete("waits", { gracePeriodSeconds: 0 });
    await until("the pod is gone", () => isGone("waits"));
  });
});

import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Container } from "@coxswain/api/core/v1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RealTestNode, startRealTestNode } from "./real-node.test.support.js";

// What pods do to a node that must live on; all of them at once. Words of statuses and events are upstream's.

/** A gigabyte where the long form is asked for. */
const isLong = process.env["COXSWAIN_HOSTILE_PODS"] === "all";
const [logMebibytes, longMs] = isLong ? [1024, 900_000] : [32, 110_000];
const pidsLimit = 100;
let node: RealTestNode;
const registries: Server[] = [];

beforeAll(async () => {
  node = await startRealTestNode({
    name: "hostile",
    rootDir: "/var/lib/kubelet-hostile",
    config: {
      podPidsLimit: pidsLimit,
      containerLogMaxSize: "1Mi",
      containerLogMaxFiles: 3,
      containerLogMonitorInterval: "3s",
      evictionHard: { "memory.available": "1Mi" },
    },
  });
});
afterAll(async () => {
  for (const registry of registries) {
    registry.closeAllConnections();
    registry.close();
  }
  await node?.stop();
});

const isRunning = async (name: string): Promise<boolean> => (await node.pod(name)).status?.phase === "Running";
const isGone = (name: string): Promise<boolean> =>
  node.pod(name).then(
    () => false,
    () => true,
  );
const image = (name: string): Partial<Container> => ({ image: name });
const waitingOf = async (name: string): Promise<{ reason?: string; message?: string } | undefined> =>
  (await node.pod(name)).status?.containerStatuses?.[0]?.state?.waiting;

/** On this machine's loopback, where containerd speaks plain HTTP. */
async function startRegistry(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  registries.push(server);
  await once(server, "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.concurrent("a node lives on with a pod that", () => {
  it("forks without end: the pod has its number of processes and no more, others start, and it can be deleted", async () => {
    const bomb = `sh -c 'while :; do sh -c "while :; do sleep 1000 & done" & done'; exec sleep 1000`;
    const uid = (await node.run("bomb", bomb)).metadata?.uid;
    const group = join("/sys/fs/cgroup/pids", node.machine.cgroupRoot, `kubepods/besteffort/pod${uid}`);
    const pids = async (file: string): Promise<number> =>
      Number(await readFile(join(group, `pids.${file}`), "utf8").catch(() => "0"));
    await node.until("the pod has as many processes as it may", async () => (await pids("current")) >= pidsLimit - 5);
    expect(await pids("max")).toBe(pidsLimit);
    await node.run("after-bomb", "exit 0");
    await node.until("another pod runs", async () => (await node.pod("after-bomb")).status?.phase === "Succeeded");
    await node.client.core.v1.pods("default").delete("bomb");
    await node.until("the pod is gone", () => isGone("bomb"));
    expect(await pids("current")).toBe(0);
  });

  it("fills a volume beyond its limit: it is evicted", async () => {
    await node.run("fills", "dd if=/dev/zero of=/scratch/file bs=1M count=8; exec sleep 1000", {
      volumes: [{ name: "scratch", emptyDir: { sizeLimit: "1Mi" } }],
      containers: [{ volumeMounts: [{ name: "scratch", mountPath: "/scratch" }] } as Container],
    });
    await node.until("the pod is evicted", async () => (await node.pod("fills")).status?.phase === "Failed", longMs);
    const message = `Usage of EmptyDir volume "scratch" exceeds the limit "1Mi". `;
    expect((await node.pod("fills")).status).toMatchObject({ reason: "Evicted", message });
    expect(await node.events("fills")).toContain(`Evicted: ${message}`);
  });

  it(
    "writes without end to its log: a few files of the size that is allowed are kept",
    async () => {
      // Much at once, and then without end: the newest file but one is only compressed when there is another.
      const script = `mebibyte() { head -c 1048576 /dev/zero | tr '\\0' x | fold -w 1000; echo; }
      i=0; while [ $i -lt ${logMebibytes} ]; do mebibyte; i=$((i+1)); done; touch /mark/written; while :; do mebibyte; sleep 1; done`;
      const spec = {
        volumes: [{ name: "mark", emptyDir: {} }],
        containers: [{ volumeMounts: [{ name: "mark", mountPath: "/mark" }] } as Container],
      };
      const uid = (await node.run("talks", script, spec)).metadata?.uid;
      const mark = `/var/lib/kubelet-hostile/pods/${uid}/volumes/kubernetes.io~empty-dir/mark/written`;
      const folder = join(node.machine.folder, `hostile-logs/pods/default_talks_${uid}/main`);
      const sizes = async (): Promise<number[]> =>
        Promise.all(
          (await readdir(folder).catch(() => [])).map((name) =>
            stat(join(folder, name)).then(
              ({ size }) => size,
              () => 0, // renamed meanwhile
            ),
          ),
        );
      const isRotated = async (): Promise<boolean> => (await readdir(folder).catch(() => [])).length >= 3;
      await node.until("the log was rotated twice", isRotated, longMs);
      await node.until("all of it was written", () => existsSync(mark), longMs);
      await node.until(
        "the log is small",
        async () => {
          const all = await sizes();
          return all.length <= 3 && all.reduce((sum, size) => sum + size, 0) < 20 * 1024 ** 2;
        },
        longMs,
      );
      expect(await isRunning("talks")).toBe(true);
      await node.client.core.v1.pods("default").delete("talks");
    },
    longMs,
  );

  it("ignores SIGTERM: it is killed after its grace", async () => {
    const finalizers = ["example.com/look"];
    const script = "trap '' TERM; while :; do sleep 1; done";
    await node.run("stubborn", script, { terminationGracePeriodSeconds: 2 }, { finalizers });
    await node.until("it runs", () => isRunning("stubborn"));
    const pods = node.client.core.v1.pods("default");
    await pods.delete("stubborn");
    await node.until("it is over", async () => (await node.pod("stubborn")).status?.phase === "Failed");
    const [status] = (await node.pod("stubborn")).status?.containerStatuses ?? [];
    expect(status?.state?.terminated).toMatchObject({ exitCode: 137, reason: "Error" });
    expect(await node.events("stubborn")).toContain("Killing: Stopping container main");
    await pods.patch("stubborn", { merge: { metadata: { finalizers: null } } });
  });

  it("prints terminal escapes: they are data in its message and its log", async () => {
    const escapes = "\u001b]0;owned\u0007\u001b[2J\u001b[31mred";
    const printed = escapes.replaceAll("\u001b", "\\033").replaceAll("\u0007", "\\007");
    await node.run("escapes", `printf '${printed}' | tee /dev/termination-log; exit 3`);
    await node.until("it is over", async () => (await node.pod("escapes")).status?.phase === "Failed");
    const [status] = (await node.pod("escapes")).status?.containerStatuses ?? [];
    expect(status?.state?.terminated).toMatchObject({ exitCode: 3, message: escapes });
    const folder = `${node.machine.folder}/hostile-logs/pods/default_escapes_${(await node.pod("escapes")).metadata?.uid}`;
    expect(await readFile(`${folder}/main/0.log`, "utf8")).toContain(escapes);
  });

  it("asks for a path of the node that is not there", async () => {
    await node.run("nowhere", "exit 0", {
      volumes: [{ name: "host", hostPath: { path: "/var/lib/none", type: "Directory" } }],
      containers: [{ volumeMounts: [{ name: "host", mountPath: "/host" }] } as Container],
    });
    const event =
      'FailedMount: MountVolume.SetUp failed for volume "host" : hostPath type check failed: /var/lib/none is not a directory';
    await node.until("its event is there", async () => (await node.events("nowhere")).includes(event));
    expect(await waitingOf("nowhere")).toMatchObject({ reason: "ContainerCreating" });
  });

  it("asks for an image that does not exist", async () => {
    const registry = await startRegistry((_, response) => void response.writeHead(404).end());
    const name = `${registry}/none:1`;
    await node.run("no-image", "exit 0", { containers: [image(name) as Container] });
    await node.until("it waits", async () => (await waitingOf("no-image"))?.reason === "ImagePullBackOff");
    // How it ends is the runtime's own: containerd 2 has `image` in place of the reference.
    const waiting = (await waitingOf("no-image"))?.message ?? "";
    const start = `Back-off pulling image "${name}": ErrImagePull: `;
    const failure = `rpc error: code = NotFound desc = failed to pull and unpack image "${name}": failed to resolve `;
    expect(waiting).toContain(start + failure);
    expect(waiting).toContain(`${name}: not found`);
    expect(await node.events("no-image")).toEqual(
      expect.arrayContaining([
        `Pulling: Pulling image "${name}"`,
        `Failed: Failed to pull image "${name}": ${waiting.slice(start.length)}`,
        "Failed: Error: ErrImagePull",
        `BackOff: Back-off pulling image "${name}"`,
        "Failed: Error: ImagePullBackOff",
      ]),
    );
  });

  it("has its image in a registry that hangs: others start, and it can be deleted", async () => {
    let isAsked = false;
    const registry = await startRegistry(() => void (isAsked = true));
    await node.run("hangs", "exit 0", { containers: [image(`${registry}/slow:1`) as Container] });
    await node.until("the registry is asked", () => isAsked);
    expect(await waitingOf("hangs")).toMatchObject({ reason: "ContainerCreating" });
    await node.run("after-hang", "exit 0");
    await node.until("another pod runs", async () => (await node.pod("after-hang")).status?.phase === "Succeeded");
    await node.client.core.v1.pods("default").delete("hangs");
    await node.until("the pod is gone", () => isGone("hangs"));
  });
});

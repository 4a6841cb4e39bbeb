import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Pod, PodSpec, Volume, VolumeMount } from "@coxswain/api/core/v1";
import type { Client } from "@coxswain/client";
import { pollUntil } from "@coxswain/runtime/wait";
import { busyboxRef } from "@coxswain/tools/images";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseMountInfo } from "./machine/mount-table.js";
import { type RealTestNode, startRealTestNode } from "./real-node.test.support.js";

const rootDir = "/var/lib/kubelet";
let node: RealTestNode;
let client: Client;

beforeAll(async () => {
  node = await startRealTestNode({ name: "real", rootDir });
  client = node.client;
});
afterAll(() => node?.stop());

async function run(
  name: string,
  script: string,
  more: Partial<PodSpec> = {},
  mounts: readonly Partial<VolumeMount>[] = [],
): Promise<void> {
  const volumeMounts = (more.volumes ?? []).map(({ name }, i) => ({ name, mountPath: `/${name}`, ...mounts[i] }));
  const containers = more.containers ?? [{ name: "main", volumeMounts }];
  await node.run(name, script, { ...more, containers }, { labels: { color: "red" } });
}

async function message(name: string): Promise<string> {
  let pod: Pod | undefined;
  await node.until(`${name} is over`, async () => {
    pod = await node.pod(name);
    return pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
  });
  return pod?.status?.containerStatuses?.[0]?.state?.terminated?.message ?? "(none)";
}

const log = "/dev/termination-log";

describe("volumes in containers", () => {
  const volumes: Volume[] = [
    { name: "config", configMap: { name: "settings", items: [{ key: "key", path: "dir/file", mode: 0o400 }] } },
    { name: "secret", secret: { secretName: "hidden" } },
    { name: "info", downwardAPI: { items: [{ path: "labels", fieldRef: { fieldPath: "metadata.labels" } }] } },
    { name: "token", projected: { sources: [{ serviceAccountToken: { path: "token", expirationSeconds: 600 } }] } },
    { name: "memory", emptyDir: { medium: "Memory", sizeLimit: "1Mi" } },
    { name: "host", hostPath: { path: "/var/lib/kubelet-test", type: "DirectoryOrCreate" } },
  ];

  it("of all types that the kubelet fills are there, with their modes, and gone with the pod", async () => {
    await client.core.v1.configmaps("default").create({ metadata: { name: "settings" }, data: { key: "value" } });
    await client.core.v1.secrets("default").create({ metadata: { name: "hidden" }, data: { key: "c2VjcmV0" } });
    const script = `{ cat /config/dir/file; echo; stat -L -c %a /config/dir/file; cat /secret/key; echo; cat /info/labels; echo;
      wc -c < /token/token; grep ' /memory ' /proc/mounts | cut -d' ' -f1,3; touch /secret/new 2>&1; echo done > /host/file; } > ${log}`;
    await run("all", script, { volumes, serviceAccountName: "default", securityContext: { fsGroup: 1234 } });
    const lines = (await message("all")).split("\n");
    expect(lines.slice(0, 4)).toEqual(["value", "440", "secret", 'color="red"']);
    expect(Number(lines[4])).toBeGreaterThan(100);
    expect(lines.slice(5, 7)).toEqual(["tmpfs tmpfs", "touch: /secret/new: Read-only file system"]);
    expect(await readFile("/var/lib/kubelet-test/file", "utf8")).toBe("done\n");
    await client.core.v1.pods("default").delete("all");
    await pollUntil(async () => (await readdir(join(rootDir, "pods"))).length === 0, {
      intervalMs: 100,
      timeoutMs: 30_000,
    });
    expect(await readdir(join(rootDir, "pods"))).toEqual([]);
    const table = parseMountInfo(await readFile("/proc/self/mountinfo", "utf8"));
    expect(table.filter(({ target }) => target.startsWith(`${rootDir}/pods`))).toEqual([]);
  });

  it("follow their config map", async () => {
    await client.core.v1.configmaps("default").create({ metadata: { name: "live" }, data: { key: "old" } });
    await run("live", `while grep -q old /live/key; do sleep 0.1; done; cat /live/key > ${log}`, {
      volumes: [{ name: "live", configMap: { name: "live" } }],
    });
    await pollUntil(async () => (await client.core.v1.pods("default").get("live")).status?.phase === "Running", {
      intervalMs: 100,
      timeoutMs: 60_000,
    });
    await client.core.v1.configmaps("default").patch("live", { merge: { data: { key: "new" } } });
    expect(await message("live")).toBe("new");
  });

  it("are mounted in parts by sub-paths", async () => {
    await mkdir("/var/lib/kubelet-test/part", { recursive: true });
    await writeFile("/var/lib/kubelet-test/part/file", "part");
    const parts: Volume[] = [
      { name: "one", configMap: { name: "settings" } },
      { name: "two", hostPath: { path: "/var/lib/kubelet-test" } },
      { name: "three", emptyDir: {} },
    ];
    await run("parts", `{ cat /one; echo; ls /two; touch /three/x && echo written; } > ${log}`, { volumes: parts }, [
      { subPath: "key" },
      { subPath: "part" },
      { subPath: "made/deep" },
    ]);
    expect(await message("parts")).toBe("value\nfile\nwritten\n");
  });
});

describe("control groups of pods", () => {
  const memory = (path: string): Promise<string> =>
    readFile(`/sys/fs/cgroup/memory${node.machine.cgroupRoot}/kubepods${path}`, "utf8").then((text) => text.trim());

  it("limit the pod, follow a resize, and go with it", async () => {
    const resources = { requests: { memory: "32Mi" }, limits: { memory: "64Mi" } };
    const [cpu, script] = [{ cpu: "100m" }, "sleep 1000"];
    const container = { name: "main", image: busyboxRef, command: ["sh", "-c", script], resources };
    await run("limited", script, {
      containers: [{ ...container, resources: { ...resources, requests: { ...resources.requests, ...cpu } } }],
    });
    const pods = client.core.v1.pods("default");
    const isRunning = async (): Promise<boolean> => (await pods.get("limited")).status?.phase === "Running";
    expect(await pollUntil(isRunning, { intervalMs: 100, timeoutMs: 60_000 })).toBe(true);
    const group = `/burstable/pod${(await pods.get("limited")).metadata?.uid}`;
    expect(await memory(`${group}/memory.limit_in_bytes`)).toBe(String(64 * 1024 ** 2));
    expect(Number(await memory("/memory.limit_in_bytes"))).toBeLessThan(2 ** 50);

    await pods.subresource<Pod>("resize").patch("limited", {
      strategic: { spec: { containers: [{ name: "main", resources: { limits: { memory: "96Mi" } } }] } },
    });
    const isResized = async (): Promise<boolean> =>
      (await memory(`${group}/memory.limit_in_bytes`)) === String(96 * 1024 ** 2);
    expect(await pollUntil(isResized, { intervalMs: 100, timeoutMs: 30_000 })).toBe(true);

    await pods.delete("limited");
    const isGone = (): Promise<boolean> =>
      memory(`${group}/memory.limit_in_bytes`).then(
        () => false,
        () => true,
      );
    expect(await pollUntil(isGone, { intervalMs: 100, timeoutMs: 60_000 })).toBe(true);
  });
});

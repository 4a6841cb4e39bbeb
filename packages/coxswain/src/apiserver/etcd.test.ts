import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemRuntime } from "@coxswain/runtime";
import type { KeyValueStore } from "@coxswain/storage";
import { openEtcdStore } from "@coxswain/storage/etcd";
import { type CoxswainProcess, findKubectl, kubectlMinors, runProgram, startCoxswain } from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiObject, connectApi } from "../testing/api-client.js";
import { type EtcdProcess, hasEtcd, startEtcd } from "../testing/etcd-process.js";
import { coxswain } from "../testing/run-coxswain.js";

const kubectlPath = findKubectl(kubectlMinors().at(-1) ?? "");
const need = {
  found: hasEtcd() && kubectlPath !== undefined,
  missing: "etcd (apt-get install etcd-server) and kubectl",
  timeout: 60_000,
};

const pod = JSON.stringify({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web" },
  spec: { containers: [{ name: "web", image: "nginx" }] },
});
const text = (value: Uint8Array | undefined): string => new TextDecoder().decode(value);

describeWith("servers over one etcd", need, () => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-over-etcd-"));
  let etcd: EtcdProcess;
  let raw: KeyValueStore;
  let one: CoxswainProcess;
  let two: CoxswainProcess;
  const kubectl = async (server: CoxswainProcess, args: string, input = ""): Promise<string> => {
    const { code, stdout, stderr } = await runProgram(kubectlPath!, args.split(" "), {
      env: { KUBECONFIG: server.kubeconfig, HOME: folder },
      input,
    });
    if (code !== 0) throw new Error(`kubectl ${args}: ${stderr}`);
    return stdout;
  };
  const keysBelow = async (prefix: string): Promise<string[]> =>
    (await raw.range({ prefix, keysOnly: true })).records.map(({ key }) => key);

  beforeAll(async () => {
    etcd = await startEtcd();
    raw = await openEtcdStore({
      endpoints: [etcd.url],
      runtime: systemRuntime(),
      compactionIntervalMs: 0,
    });
    const args = ["--etcd-servers", etcd.url];
    [one, two] = await Promise.all([
      startCoxswain({ dataDir: join(folder, "one"), args }),
      startCoxswain({ dataDir: join(folder, "two"), args }),
    ]);
  });
  afterAll(async () => {
    await Promise.all([one?.stop(), two?.stop()]);
    await raw?.close();
    await etcd?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What a new cluster has, by way of a backup; see the gap below. */
  it("start on an empty etcd", async () => {
    const server = await startCoxswain({
      dataDir: join(folder, "empty"),
      args: ["--etcd-servers", etcd.url, "--etcd-prefix", "/empty"],
    });
    await server.stop();
  });

  it("keep objects under the keys that Kubernetes gives them", async () => {
    expect(await kubectl(one, "create -f -", pod)).toBe("pod/web created\n");
    expect(JSON.parse(text((await raw.get("/registry/pods/default/web"))?.value))).toMatchObject({
      kind: "Pod",
      metadata: { name: "web", namespace: "default" },
    });
    expect(await keysBelow("/registry/namespaces/")).toContain("/registry/namespaces/default");
  });

  it("see each other's writes, at once and in a watch", async () => {
    const other = connectApi(two.kubeconfig);
    const { metadata } = await other.send<{ metadata: { resourceVersion: string } }>(
      "GET",
      "/api/v1/namespaces/default/configmaps",
    );
    const stop = new AbortController();
    const seen: string[] = [];
    const watching = other.watch(
      `/api/v1/namespaces/default/configmaps?watch=true&resourceVersion=${metadata.resourceVersion}`,
      ({ type, object }) => {
        seen.push(`${type} ${object.metadata.name}`);
        if (seen.length === 3) stop.abort();
      },
      stop.signal,
    );
    await kubectl(one, "create configmap colours --from-literal=sky=blue");
    expect(await kubectl(two, "get configmap colours -o jsonpath={.data.sky}")).toBe("blue");
    await kubectl(two, "label configmap colours seen=yes");
    expect((await connectOnce(one)).metadata.labels).toEqual({ seen: "yes" });
    await kubectl(one, "delete configmap colours");
    await watching;
    expect(seen).toEqual(["ADDED colours", "MODIFIED colours", "DELETED colours"]);
    await expect(kubectl(two, "get configmap colours")).rejects.toThrow("not found");
    other.close();
  });

  it("are backed up through a server's socket, and etcd itself can be asked too", async () => {
    expect(await coxswain(`store status --data-dir ${folder}/one`)).toMatch(
      new RegExp(`^Engine: +etcd\nServed by: +pid ${one.pid}\n`),
    );
    expect(await coxswain(`store get pods/default/web --keys-only --etcd-servers ${etcd.url}`)).toBe(
      "/registry/pods/default/web\n",
    );
    await coxswain(`store backup ${folder}/backup --data-dir ${folder}/one`);
    await coxswain(`store restore ${folder}/backup --data-dir ${folder}/embedded`);
    expect(
      (await coxswain(`store get /registry/ --keys-only --data-dir ${folder}/embedded`)).trim().split("\n"),
    ).toEqual(await keysBelow("/registry/"));
  });

  it("share it with a cluster that has a prefix of its own", async () => {
    const before = await keysBelow("/registry/");
    const three = await startCoxswain({
      dataDir: join(folder, "three"),
      args: ["--etcd-servers", etcd.url, "--etcd-prefix", "/team/a"],
    });
    await kubectl(three, "create configmap theirs");
    expect(await kubectl(three, "get pods")).toBe("");
    expect(await keysBelow("/team/a/configmaps/default/")).toEqual(["/team/a/configmaps/default/theirs"]);
    expect(await three.stop()).toBe(0);
    // A restore below that prefix takes what is there for its own, and nothing else.
    expect(
      await coxswain(
        `store restore ${folder}/backup --etcd-servers ${etcd.url} --etcd-prefix /team/a --data-dir ${folder}/three`,
      ),
    ).toMatch(/^Restored into etcd below \/team\/a: \d+ keys written, 1 deleted; /);
    expect(await keysBelow("/team/a/pods/")).toEqual(["/team/a/pods/default/web"]);
    expect(await keysBelow("/registry/")).toEqual(before);
  });

  async function connectOnce(server: CoxswainProcess): Promise<ApiObject> {
    const api = connectApi(server.kubeconfig);
    const object = await api.send("GET", "/api/v1/namespaces/default/configmaps/colours");
    api.close();
    return object;
  }
});

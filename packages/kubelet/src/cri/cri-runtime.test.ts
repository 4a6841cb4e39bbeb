import { readFile } from "node:fs/promises";
import { createVirtualClock, systemClock } from "@coxswain/runtime/clock";
import { pollUntil } from "@coxswain/runtime/wait";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CgroupDriver } from "../gen/cri.js";
import { pod } from "../pod/pod.test.support.js";
import { RuntimeError } from "../runtime/container-runtime.js";
import { describeContainerRuntime } from "../runtime/describe-container-runtime.test.support.js";
import { FakeCri } from "./fake-cri.test.support.js";
import { type OpenedCri, openCri } from "./open-cri.test.support.js";

describeContainerRuntime("CRI, a fake server", async () => {
  const fake = await FakeCri.start();
  const { containers, stop } = await openCri(fake.endpoint);
  return {
    containers,
    image: fake.image,
    cgroupParent: "/kubepods",
    async stop() {
      await stop();
      await fake.stop();
    },
  };
});

describe("a CRI runtime with faults", () => {
  let fake: FakeCri;
  let opened: OpenedCri;
  const seen: string[] = [];
  const until = (condition: () => boolean | Promise<boolean>): Promise<boolean> =>
    pollUntil(condition, { clock: systemClock, intervalMs: 20, timeoutMs: 10_000 });

  beforeEach(async () => {
    fake = await FakeCri.start();
    seen.length = 0;
  });
  afterEach(async () => {
    await opened.stop();
    await fake.stop();
  });

  async function open(options: Parameters<typeof openCri>[1] = {}): Promise<string> {
    opened = await openCri(fake.endpoint, options);
    opened.containers.onEvent((uid) => void seen.push(uid));
    const config = { pod: pod(), attempt: 0, cgroupParent: "", runtimeHandler: "" };
    const { id: sandboxId } = await opened.containers.runPodSandbox(config);
    const image = await opened.containers.imageStatus(fake.image);
    if (!image) throw new Error("the image is missing");
    const id = await opened.containers.createContainer(sandboxId, {
      ...config,
      name: "a",
      kind: "regular",
      image,
      command: ["sh", "-c", "sleep 1000"],
      args: [],
      env: new Map(),
      workingDir: "",
      mounts: [],
      resources: {},
      specHash: "hash",
      terminationMessagePath: "",
      terminationMessagePolicy: "File",
      podIPs: [],
    });
    await opened.containers.startContainer(id);
    return id;
  }
  const stateNow = async (): Promise<string | undefined> =>
    (await opened.containers.podStatus("u1")).containers.get("a")?.[0]?.state;

  it("writes a checkpoint among those of the node, or passes on in full why it cannot", async () => {
    const id = await open();
    const checkpoint = { name: "checkpoint-web.tar", timeoutSeconds: 0 };
    const file = await opened.containers.checkpointContainer(id, checkpoint);
    expect(file).toMatch(/\/kubelet\/checkpoints\/checkpoint-web\.tar$/);
    expect(await readFile(file, "utf8")).toBe("state");
    await expect(opened.containers.checkpointContainer("gone", checkpoint)).rejects.toThrow(
      "rpc error: code = NotFound desc = container: not found",
    );
  });

  it("refuses calls while it is unavailable, in words for users, and answers again afterwards", async () => {
    await open();
    fake.faults.unavailable = true;
    const failure = await opened.containers.podStatus("u1").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RuntimeError);
    expect((failure as Error).message).toBe("the runtime is not there");
    fake.faults.unavailable = false;
    expect(await stateNow()).toBe("running");
  });

  it("does not wait for a runtime that hangs longer than runtimeRequestTimeout, and goes on when it answers again", async () => {
    await open({ requestTimeoutMs: 300 });
    let answers: () => void = () => {};
    fake.faults.until = new Promise((resolve) => (answers = resolve));
    const failure = await opened.containers.podStatus("u1").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RuntimeError);
    expect((failure as Error).message).toBe("context deadline exceeded");
    fake.faults.until = undefined;
    answers();
    expect(await stateNow()).toBe("running");
  });

  it("is taken with groups of its own, and refused with those of systemd", async () => {
    fake.faults.cgroupDriver = CgroupDriver.SYSTEMD;
    await expect(openCri(fake.endpoint)).rejects.toThrow(
      /^the runtime makes control groups by systemd, .* SystemdCgroup = false/,
    );
    fake.faults.cgroupDriver = CgroupDriver.CGROUPFS;
    await open();
    expect(await stateNow()).toBe("running");
  });

  it("is down once it was silent for half a minute, however long other calls may take", async () => {
    const ioClock = createVirtualClock();
    await open({ requestTimeoutMs: 120_000, ioClock });
    let answers: () => void = () => {};
    fake.faults.until = new Promise((resolve) => (answers = resolve));
    const failures: Error[] = [];
    const asked = opened.containers.status().catch((error: Error) => void failures.push(error));
    await ioClock.advance(29_999);
    expect(failures).toEqual([]);
    await ioClock.advance(1);
    await asked;
    expect(failures.map(({ message }) => message)).toEqual(["context deadline exceeded"]);
    answers();
  });

  it("counts the logs of containers in their storage", async () => {
    await open();
    const stats = (await opened.containers.listStats()).get("u1")?.containers[0];
    expect(stats?.logs?.inodes).toBe(1);
    expect(stats?.storageBytes).toBe(stats?.logs?.usedBytes);
  });

  it("survives the end of the runtime: the same container is found, and what ended meanwhile is noticed", async () => {
    const id = await open();
    await fake.crash();
    fake.end(id, 9, true);
    seen.length = 0;
    await fake.listen();
    expect(await until(() => seen.includes("u1"))).toBe(true);
    expect(await stateNow()).toBe("exited");
  });

  it("finds by a list what happened while the stream of events was cut", async () => {
    const id = await open();
    await until(() => seen.includes("u1"));
    fake.end(id, 1, true);
    seen.length = 0;
    fake.cutStreams();
    expect(await until(() => seen.includes("u1"))).toBe(true);
  });

  it("lists each second where there are no events, and only differences wake", async () => {
    fake.faults.withoutEvents = true;
    const id = await open();
    await until(() => seen.includes("u1"));
    const before = seen.length;
    fake.end(id, 1, true);
    expect(await until(() => seen.length > before)).toBe(true);
    expect(new Set(seen)).toEqual(new Set(["u1"]));
  });

  it("keeps the addresses of a sandbox that was stopped", async () => {
    await open();
    const [sandbox] = (await opened.containers.podStatus("u1")).sandboxes;
    await opened.containers.stopPodSandbox(sandbox?.id ?? "");
    expect((await opened.containers.podStatus("u1")).sandboxes).toMatchObject([
      { state: "notReady", ips: ["10.0.0.2"] },
    ]);
  });
});

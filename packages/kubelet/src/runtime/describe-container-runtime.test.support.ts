import type { Container } from "@coxswain/api/core/v1";
import { systemClock } from "@coxswain/runtime/clock";
import { pollUntil } from "@coxswain/runtime/wait";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { c, pod } from "../pod/pod.test.support.js";
import {
  type ContainerConfig,
  type ContainerRecord,
  type ContainerRuntime,
  ExecTimeoutError,
  type ImageRecord,
  type SandboxRecord,
} from "./container-runtime.js";

export interface RuntimeUnderTest {
  readonly containers: ContainerRuntime;
  /** On the node, with a shell. */
  readonly image: string;
  readonly cgroupParent: string;
  stop(): Promise<void>;
}

let count = 0;

/** What every `ContainerRuntime` promises. */
export function describeContainerRuntime(name: string, open: () => Promise<RuntimeUnderTest>): void {
  describe(`ContainerRuntime: ${name}`, () => {
    let under: RuntimeUnderTest;
    beforeAll(async () => void (under = await open()));
    afterAll(() => under?.stop());
    for (const { title, check } of promises)
      it(title, async () => {
        const uid = `00000000-0000-4000-8000-${String(++count).padStart(12, "0")}`;
        const test = new PodUnderTest(under, uid);
        try {
          await check(test);
        } finally {
          await test.remove();
        }
      });
  });
}

/** One pod of a test, and what it leaves is removed. */
class PodUnderTest {
  readonly under: RuntimeUnderTest;
  readonly uid: string;
  attempts = 0;

  constructor(under: RuntimeUnderTest, uid: string) {
    this.under = under;
    this.uid = uid;
  }

  get containers(): ContainerRuntime {
    return this.under.containers;
  }

  pod(container: Container = c("a")) {
    return pod({ containers: [{ ...container, image: this.under.image }] }, { uid: this.uid, name: `web-${count}` });
  }

  sandbox(attempt = 0): Promise<SandboxRecord> {
    const { cgroupParent } = this.under;
    return this.containers.runPodSandbox({ pod: this.pod(), attempt, cgroupParent, runtimeHandler: "" });
  }

  async image(): Promise<ImageRecord> {
    const { image } = this.under;
    const there = await this.containers.imageStatus(image);
    return there ?? this.containers.pullImage({ image, pod: this.pod() });
  }

  /** Creates a container that runs a script, and starts it. */
  async start(sandbox: SandboxRecord, script: string, fields: Partial<ContainerConfig> = {}): Promise<string> {
    const id = await this.containers.createContainer(sandbox.id, {
      pod: this.pod(),
      name: "a",
      kind: "regular",
      attempt: this.attempts++,
      image: await this.image(),
      command: ["sh", "-c", script],
      args: [],
      env: new Map([["GREETING", "hello"]]),
      workingDir: "",
      mounts: [],
      resources: {},
      specHash: "hash",
      terminationMessagePath: "/dev/termination-log",
      terminationMessagePolicy: "File",
      cgroupParent: this.under.cgroupParent,
      podIPs: sandbox.ips,
      ...fields,
    });
    await this.containers.startContainer(id);
    return id;
  }

  async latest(): Promise<ContainerRecord | undefined> {
    return (await this.containers.podStatus(this.uid)).containers.get("a")?.[0];
  }

  /** The newest run, once it is in this state. */
  async until(state: ContainerRecord["state"]): Promise<ContainerRecord> {
    let found: ContainerRecord | undefined;
    const isThere = async (): Promise<boolean> => (found = await this.latest())?.state === state;
    await pollUntil(isThere, { clock: systemClock, intervalMs: 50, timeoutMs: 20_000 });
    if (found?.state !== state) throw new Error(`the container is ${found?.state ?? "missing"} instead of ${state}`);
    return found;
  }

  async remove(): Promise<void> {
    const { sandboxes, containers } = await this.containers.podStatus(this.uid);
    for (const runs of containers.values())
      for (const { id } of runs) {
        await this.containers.stopContainer(id, 0);
        await this.containers.removeContainer(id);
      }
    for (const { id } of sandboxes) {
      await this.containers.stopPodSandbox(id);
      await this.containers.removePodSandbox(id);
    }
  }
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");

const promises: { readonly title: string; check(test: PodUnderTest): Promise<void> }[] = [
  {
    title: "takes pods, and their network is there",
    async check({ containers }) {
      const { conditions } = await containers.status();
      const ready = conditions.filter(({ status }) => status).map(({ type }) => type);
      expect(ready).toEqual(expect.arrayContaining(["RuntimeReady", "NetworkReady"]));
    },
  },
  {
    title: "has no image that nobody pulled, and removes none that is not there",
    async check({ containers }) {
      expect(await containers.imageStatus("localhost/nobody/nothing:1")).toBeUndefined();
      await containers.removeImage("localhost/nobody/nothing:1");
    },
  },
  {
    title: "a sandbox is ready, has an address, and is listed with its pod",
    async check(test) {
      const sandbox = await test.sandbox();
      expect(sandbox).toMatchObject({ state: "ready", attempt: 0 });
      expect(sandbox.ips).toHaveLength(1);
      expect((await test.containers.podStatus(test.uid)).sandboxes).toMatchObject([
        { id: sandbox.id, ips: sandbox.ips },
      ]);
      const listed = (await test.containers.listPods()).find(({ uid }) => uid === test.uid);
      expect(listed).toMatchObject({ namespace: "default", isRunning: true });
    },
  },
  {
    title: "of several sandboxes of a pod the newest is the first",
    async check(test) {
      const old = await test.sandbox();
      await test.containers.stopPodSandbox(old.id);
      const fresh = await test.sandbox(1);
      const { sandboxes } = await test.containers.podStatus(test.uid);
      expect(sandboxes.map(({ id, state }) => ({ id, state }))).toEqual([
        { id: fresh.id, state: "ready" },
        { id: old.id, state: "notReady" },
      ]);
    },
  },
  {
    title: "a container runs, and keeps what it was made from",
    async check(test) {
      const sandbox = await test.sandbox();
      const resources = { requests: { cpu: "10m", memory: "16Mi" }, limits: { cpu: "200m", memory: "64Mi" } };
      const id = await test.start(sandbox, "sleep 1000", { resources });
      const record = await test.until("running");
      expect(record).toMatchObject({ id, sandboxId: sandbox.id, attempt: 0, specHash: "hash", resources });
      expect(record.startedAt).toBeGreaterThan(0);
    },
  },
  {
    title: "a container that ends shows its exit code, and its runs are the newest first",
    async check(test) {
      const sandbox = await test.sandbox();
      await test.start(sandbox, "exit 3");
      expect(await test.until("exited")).toMatchObject({ exitCode: 3, reason: "Error" });
      await test.start(sandbox, "exit 0");
      expect(await test.until("exited")).toMatchObject({ exitCode: 0, reason: "Completed", attempt: 1 });
      const runs = (await test.containers.podStatus(test.uid)).containers.get("a") ?? [];
      expect(runs.map(({ attempt }) => attempt)).toEqual([1, 0]);
    },
  },
  {
    title: "a container that is stopped has exited when the call resolves; stopping it again is no error",
    async check(test) {
      const id = await test.start(await test.sandbox(), "sleep 1000");
      await test.containers.stopContainer(id, 1);
      expect((await test.latest())?.state).toBe("exited");
      await test.containers.stopContainer(id, 1);
    },
  },
  {
    title: "the end of a container is an event of its pod",
    async check(test) {
      const seen = new Promise<void>((resolve) => {
        const stop = test.containers.onEvent((uid) => {
          if (uid !== test.uid) return;
          stop();
          resolve();
        });
      });
      const id = await test.start(await test.sandbox(), "sleep 1000");
      await test.containers.stopContainer(id, 0);
      await seen;
    },
  },
  {
    title: "a command ends with its code and what it wrote",
    async check(test) {
      const id = await test.start(await test.sandbox(), "sleep 1000");
      const done = await test.containers.execSync(id, ["sh", "-c", "echo out; echo err >&2; exit 4"], 10_000);
      expect({ ...done, stdout: text(done.stdout), stderr: text(done.stderr) }).toEqual({
        exitCode: 4,
        stdout: "out\n",
        stderr: "err\n",
      });
    },
  },
  {
    title: "a command that takes too long is a time-out",
    async check(test) {
      const id = await test.start(await test.sandbox(), "sleep 1000");
      await expect(test.containers.execSync(id, ["sleep", "100"], 1000)).rejects.toBeInstanceOf(ExecTimeoutError);
    },
  },
  {
    title: "a log has the lines that were written, with their streams and times",
    async check(test) {
      const id = await test.start(await test.sandbox(), "echo one; echo two >&2");
      await test.until("exited");
      const lines: string[] = [];
      for await (const line of test.containers.logs(id, { follow: false }, new AbortController().signal)) {
        lines.push(`${line.stream} ${text(line.content)}`);
        expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT.*\.\d{9}/);
      }
      expect(lines.toSorted()).toEqual(["stderr two", "stdout one"]);
    },
  },
  {
    title: "other resources are there once they were given",
    async check(test) {
      const resources = { requests: { cpu: "100m" }, limits: { cpu: "100m", memory: "32Mi" } };
      const id = await test.start(await test.sandbox(), "sleep 1000", { resources });
      const more = { requests: { cpu: "200m" }, limits: { cpu: "300m", memory: "48Mi" } };
      const container = c("a", { resources: more });
      await test.containers.updateContainerResources(id, { pod: test.pod(container), container });
      expect((await test.latest())?.resources).toEqual(more);
    },
  },
  {
    title: "usage is counted by pod and container",
    async check(test) {
      await test.start(await test.sandbox(), "sleep 1000");
      await test.until("running");
      const stats = (await test.containers.listStats()).get(test.uid);
      expect(stats?.containers.map(({ name }) => name)).toEqual(["a"]);
    },
  },
  {
    title: "a pod that is removed is gone, and removing it again is no error",
    async check(test) {
      const sandbox = await test.sandbox();
      const id = await test.start(sandbox, "sleep 1000");
      await test.remove();
      expect(await test.containers.podStatus(test.uid)).toEqual({ sandboxes: [], containers: new Map() });
      expect((await test.containers.listPods()).map(({ uid }) => uid)).not.toContain(test.uid);
      await test.containers.removeContainer(id);
      await test.containers.stopPodSandbox(sandbox.id);
      await test.containers.removePodSandbox(sandbox.id);
    },
  },
];

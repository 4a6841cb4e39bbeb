import { createHash } from "node:crypto";
import type { Clock } from "@coxswain/apimachinery/clock";
import type { RandomSource } from "@coxswain/apimachinery/random";
import { sleep } from "@coxswain/apimachinery/wait";
import type { PodAddresses } from "../node/pod-addresses.js";
import { type CachedPod, uidOf } from "../pod/cached-pod.js";
import {
  type ContainerConfig,
  type ContainerRecord,
  type ContainerRuntime,
  type ImageRecord,
  noRuntimeStatus,
  type PodRuntimeStatus,
  RuntimeError,
  type SandboxRecord,
} from "../runtime/container-runtime.js";
import { type Behaviour, type BehaviourRules, planBehaviour } from "./behaviour.js";
import { startProcess, type SimulatedProcess } from "./process.js";
import { programOf } from "./program.js";

export interface SimulatedRuntimeOptions {
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Of the node's pod range. */
  readonly addresses: PodAddresses;
  readonly rules: BehaviourRules;
}

/** A runtime without containers: everything it reports follows from rules, at the times that a clock tells. */
export interface SimulatedRuntime extends ContainerRuntime {
  /** As when the machine loses power: nothing that ran is there any more. */
  lose(): void;
}

interface SimulatedPod {
  readonly pod: CachedPod;
  sandbox: SandboxRecord;
  readonly containers: Map<string, SimulatedContainer[]>;
}

interface SimulatedContainer {
  readonly config: ContainerConfig;
  readonly behaviour: Behaviour;
  readonly home: SimulatedPod;
  record: ContainerRecord;
  process: SimulatedProcess | undefined;
  readonly exited: (() => void)[];
}

/** Runs of a container that are kept beside the newest: upstream's --maximum-dead-containers-per-container. */
const keptRuns = 1;

export function createSimulatedRuntime(options: SimulatedRuntimeOptions): SimulatedRuntime {
  const { clock, random, addresses, rules } = options;
  const pods = new Map<string, SimulatedPod>();
  const sandboxes = new Map<string, SimulatedPod>();
  const containers = new Map<string, SimulatedContainer>();
  const images = new Map<string, ImageRecord>();
  const listeners = new Set<(podUid: string) => void>();

  const newId = (): string => Buffer.from(random.bytes(32)).toString("hex");
  const notify = (uid: string): void => {
    for (const listener of listeners) listener(uid);
  };
  const behaviourOf = (pod: CachedPod, container?: string): Behaviour =>
    planBehaviour({ pod, rules, random, ...(container !== undefined && { container }) });
  const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
    ms > 0 ? sleep(ms, { clock, signal }) : Promise.resolve();
  function find(id: string): SimulatedContainer {
    const container = containers.get(id);
    if (!container) throw new RuntimeError(`container "${id}" not found`);
    return container;
  }
  const failAt = ({ fail, failMessage }: Behaviour, step: Behaviour["fail"]): void => {
    if (fail === step) throw new RuntimeError(failMessage);
  };

  function exited(container: SimulatedContainer, code: number, reason: string | undefined): void {
    container.process = undefined;
    container.record = {
      ...container.record,
      state: "exited",
      exitCode: code,
      reason: reason ?? (code === 0 ? "Completed" : "Error"),
      finishedAt: clock.now(),
    };
    for (const resolve of container.exited.splice(0)) resolve();
    notify(uidOf(container.home.pod));
  }

  function release(home: SimulatedPod): void {
    for (const ip of home.sandbox.ips) addresses.release(ip);
    home.sandbox = { ...home.sandbox, state: "notReady", ips: [] };
  }

  return {
    name: "simulated",
    version: "1.36",

    async runPodSandbox({ pod, attempt }, signal) {
      const behaviour = behaviourOf(pod);
      await wait(behaviour.sandboxDelayMs, signal);
      failAt(behaviour, "sandbox");
      const uid = uidOf(pod);
      const sandbox: SandboxRecord = {
        id: newId(),
        attempt,
        state: "ready",
        ips: pod.spec?.hostNetwork ? [] : [addresses.take()],
        createdAt: clock.now(),
      };
      const known = pods.get(uid);
      const home: SimulatedPod = { pod, sandbox, containers: known?.containers ?? new Map() };
      pods.set(uid, home);
      sandboxes.set(sandbox.id, home);
      return sandbox;
    },
    async stopPodSandbox(id) {
      const home = sandboxes.get(id);
      if (!home || home.sandbox.id !== id || home.sandbox.state === "notReady") return;
      for (const [container] of home.containers.values()) container?.process?.kill();
      release(home);
    },
    async removePodSandbox(id) {
      const home = sandboxes.get(id);
      if (!home) return;
      sandboxes.delete(id);
      if (home.sandbox.state === "ready") release(home);
      for (const runs of home.containers.values()) for (const { record } of runs) containers.delete(record.id);
      pods.delete(uidOf(home.pod));
    },

    imageStatus: async (image) => images.get(image),
    async pullImage(image, pod, signal) {
      const behaviour = behaviourOf(pod);
      await wait(behaviour.pullDelayMs, signal);
      failAt(behaviour, "pull");
      const record = simulatedImage(image);
      images.set(image, record);
      return record;
    },
    listImages: async () => [...images.values()],
    async removeImage(image) {
      images.delete(image);
    },

    async createContainer(sandboxId, config) {
      const home = sandboxes.get(sandboxId);
      if (!home) throw new RuntimeError(`failed to find sandbox id "${sandboxId}": not found`);
      const behaviour = behaviourOf(config.pod, config.name);
      failAt(behaviour, "create");
      const record: ContainerRecord = {
        id: newId(),
        name: config.name,
        attempt: config.attempt,
        state: "created",
        image: config.image.image,
        imageRef: config.image.ref,
        specHash: config.specHash,
        resources: config.resources,
        createdAt: clock.now(),
      };
      const container: SimulatedContainer = { config, behaviour, home, record, process: undefined, exited: [] };
      const runs = home.containers.get(config.name) ?? [];
      for (const { record: old } of runs.slice(keptRuns)) containers.delete(old.id);
      home.containers.set(config.name, [container, ...runs.slice(0, keptRuns)]);
      containers.set(record.id, container);
      return record.id;
    },
    async startContainer(id) {
      const container = find(id);
      const { behaviour, config } = container;
      await wait(behaviour.startDelayMs);
      failAt(behaviour, "start");
      container.record = { ...container.record, state: "running", startedAt: clock.now() };
      const program = programOf(config, { clock });
      container.process = startProcess({
        behaviour,
        ...(program && { program }),
        clock,
        onExit: ({ code, reason }) => exited(container, code, reason),
      });
      notify(uidOf(config.pod));
    },
    stopContainer(id, timeoutSeconds) {
      const container = containers.get(id);
      if (!container || container.record.state !== "running") return Promise.resolve();
      return new Promise((resolve) => {
        const timer = clock.setTimer(timeoutSeconds * 1000, () => container.process?.kill());
        container.exited.push(() => (timer.cancel(), resolve()));
        container.process?.terminate();
      });
    },
    async removeContainer(id) {
      const container = containers.get(id);
      if (!container) return;
      containers.delete(id);
      const runs = (container.home.containers.get(container.config.name) ?? []).filter((run) => run !== container);
      if (runs.length > 0) container.home.containers.set(container.config.name, runs);
      else container.home.containers.delete(container.config.name);
    },
    async updateContainerResources(id, resources) {
      const container = find(id);
      container.record = { ...container.record, resources };
      notify(uidOf(container.config.pod));
    },

    async podStatus(uid) {
      const home = pods.get(uid);
      return home ? statusOf(home) : noRuntimeStatus;
    },
    onEvent(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    async exec(id) {
      find(id);
      throw new RuntimeError("simulated containers run no commands yet");
    },
    attach: async () => {},
    async openPort(_uid, port) {
      throw new RuntimeError(`dial tcp4 127.0.0.1:${port}: connect: connection refused`);
    },
    async *logs() {},
    async probe(id) {
      const { behaviour, record } = find(id);
      const startedAt = record.startedAt ?? clock.now();
      const readyAt = startedAt + behaviour.readyAfterMs;
      if (clock.now() < readyAt) return { success: false, output: "connection refused", until: readyAt };
      const endsAt =
        behaviour.unhealthyAfterMs === undefined ? Number.POSITIVE_INFINITY : startedAt + behaviour.unhealthyAfterMs;
      if (clock.now() >= endsAt)
        return { success: false, output: "HTTP probe failed with statuscode: 500", until: Number.POSITIVE_INFINITY };
      return { success: true, output: "ok", until: endsAt };
    },
    stats: async () => undefined,

    lose() {
      for (const home of pods.values())
        for (const runs of home.containers.values()) for (const run of runs) run.process = undefined;
      for (const home of pods.values()) if (home.sandbox.state === "ready") release(home);
      pods.clear();
      sandboxes.clear();
      containers.clear();
    },
  };
}

function statusOf({ sandbox, containers }: SimulatedPod): PodRuntimeStatus {
  const records = new Map<string, readonly ContainerRecord[]>();
  for (const [name, runs] of containers)
    records.set(
      name,
      runs.map(({ record }) => record),
    );
  return { sandbox, containers: records };
}

/** An image as a registry could hold it: digest and size follow from its name. */
function simulatedImage(image: string): ImageRecord {
  const digest = createHash("sha256").update(image).digest("hex");
  const at = image.indexOf("@");
  const ref = at >= 0 ? image : `${withoutTag(image)}@sha256:${digest}`;
  return { image, ref, sizeBytes: 1_000_000 + (Number.parseInt(digest.slice(0, 6), 16) % 100_000_000) };
}

function withoutTag(image: string): string {
  const colon = image.lastIndexOf(":");
  return colon > image.lastIndexOf("/") ? image.slice(0, colon) : image;
}

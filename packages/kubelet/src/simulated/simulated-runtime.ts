import type { Node } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { Runtime } from "@coxswain/runtime";
import { sleep } from "@coxswain/runtime/wait";
import type { PodAddresses } from "./pod-addresses.js";
import { type CachedPod, nameOf, uidOf } from "../objects/cached-pod.js";
import {
  type ContainerRecord,
  type ContainerRuntime,
  type ImageRecord,
  noRuntimeStatus,
  RuntimeError,
  type SandboxRecord,
} from "../runtime/container-runtime.js";
import { type Behaviour, type BehaviourRules, planBehaviour, statesUsage } from "./behaviour.js";
import { createCatchUpClock } from "./catch-up-clock.js";
import { type ContainerLog, createContainerLog } from "./container-log.js";
import { type ContainerShell, createContainerShell, hasProgram } from "./container-shell.js";
import { createFileTree, type FileTree } from "../languages/shell/file-tree.js";
import { answerPort } from "./http-echo.js";
import { planNodeUsage } from "./node-usage.js";
import { startProcess } from "./process.js";
import { reportedRuns } from "./reported-runs.js";
import { newContainer, type SimulatedContainer, type SimulatedPod, statusOf } from "./simulated-pod.js";
import { simulatedImage } from "./simulated-image.js";
import type { SimulatedMachine } from "./simulated-machine.js";
import { planUsage } from "./usage.js";

export interface SimulatedRuntimeOptions {
  readonly runtime: Runtime;
  /** Of the node's pod range. */
  readonly addresses: PodAddresses;
  readonly rules: BehaviourRules;
  /** Shared by the nodes of a process. */
  readonly machine: SimulatedMachine;
  /** As the API server has it now: its annotations may state what it uses beside its pods. */
  node(): DeepReadonly<Node> | undefined;
}

/** A runtime without containers: everything it reports follows from rules, at the times of a clock. */
export interface SimulatedRuntime extends ContainerRuntime {
  /** Restores a pod's state from what the API has: containers that it reports as running run. For a new process of ours. */
  adopt(pod: CachedPod): void;
  /** As when the machine loses power: nothing that ran is there any more. */
  lose(): void;
}

/** Runs of a container that are kept beside the newest: upstream's --maximum-dead-containers-per-container. */
const keptRuns = 1;

export function createSimulatedRuntime(options: SimulatedRuntimeOptions): SimulatedRuntime {
  const { runtime, addresses, rules, machine } = options;
  const { clock, random } = runtime;
  const pods = new Map<string, SimulatedPod>();
  const sandboxes = new Map<string, SimulatedPod>();
  const containers = new Map<string, SimulatedContainer>();
  const images = new Map<string, ImageRecord>();
  /** Running containers whose rules state what they use. */
  const stated = new Set<SimulatedContainer>();
  const listeners = new Set<(podUid: string) => void>();
  /** Directories of the node itself, by path. */
  const nodeVolumes = new Map<string, FileTree>();

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

  function treeOf(trees: Map<string, FileTree>, name: string): FileTree {
    let tree = trees.get(name);
    if (!tree) trees.set(name, (tree = createFileTree(machine.disk)));
    return tree;
  }

  const logOf = (container: SimulatedContainer): ContainerLog =>
    (container.log ??= createContainerLog(clock, machine.logs));
  const shellOf = (container: SimulatedContainer, on = runtime): ContainerShell =>
    (container.shell ??= createContainerShell({
      config: container.config,
      runtime: on,
      log: logOf(container),
      machine,
      scratch: (name) => treeOf(name.startsWith("/") ? nodeVolumes : container.home.volumes, name),
    }));

  /** Begins the container's process; one that was started long ago is brought to where it would be. */
  function begin(container: SimulatedContainer, startedAt: number): void {
    const { behaviour } = container;
    const on = startedAt < clock.now() ? { ...runtime, clock: createCatchUpClock(clock, startedAt) } : runtime;
    container.record = { ...container.record, state: "running", startedAt };
    if (statesUsage(behaviour)) stated.add(container);
    container.process = startProcess({
      behaviour,
      program: hasProgram(container.config) ? shellOf(container, on).main : undefined,
      clock: on.clock,
      onExit: ({ code, reason }) => exited(container, code, reason),
    });
  }

  function exited(container: SimulatedContainer, code: number, reason: string | undefined): void {
    container.process = undefined;
    stated.delete(container);
    container.shell?.kill();
    container.record = exitRecord(container, { code, reason, at: clock.now() });
    container.log?.close();
    for (const resolve of container.exited.splice(0)) resolve();
    notify(uidOf(container.home.pod));
  }

  function discard(container: SimulatedContainer): void {
    containers.delete(container.record.id);
    discardContainer(container);
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
      const home: SimulatedPod = {
        pod,
        sandbox,
        containers: known?.containers ?? new Map(),
        volumes: known?.volumes ?? new Map(),
      };
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
      for (const runs of home.containers.values()) runs.forEach(discard);
      for (const tree of home.volumes.values()) tree.discard();
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
      const container = newContainer({ config, behaviour, home, record });
      const runs = home.containers.get(config.name) ?? [];
      for (const old of runs.slice(keptRuns)) discard(old);
      home.containers.set(config.name, [container, ...runs.slice(0, keptRuns)]);
      containers.set(record.id, container);
      return record.id;
    },
    async startContainer(id, signal) {
      const container = find(id);
      await wait(container.behaviour.startDelayMs, signal);
      if (hasProgram(container.config)) await refreshMounts(container);
      failAt(container.behaviour, "start");
      begin(container, clock.now());
      notify(uidOf(container.config.pod));
    },
    stopContainer(id, timeoutSeconds, signal) {
      const container = containers.get(id);
      if (!container || container.record.state !== "running") return Promise.resolve();
      return new Promise((resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
        const timer = clock.setTimer(timeoutSeconds * 1000, () => container.process?.kill());
        container.exited.push(() => (timer.cancel(), resolve()));
        container.process?.terminate();
      });
    },
    async removeContainer(id) {
      const container = containers.get(id);
      if (!container) return;
      discard(container);
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

    async exec(id, command, streams, signal) {
      const container = find(id);
      if (container.record.state !== "running")
        throw new RuntimeError(`failed to exec in container: container is in ${container.record.state} state`);
      await refreshMounts(container);
      try {
        return { exitCode: await shellOf(container).exec(command, streams, signal) };
      } catch (error) {
        if (signal.aborted) return { exitCode: 137 };
        throw error;
      }
    },
    async attach(id, streams, signal) {
      const container = find(id);
      const unsubscribe = logOf(container).subscribe(streams);
      await new Promise<void>((resolve) => {
        if (container.record.state !== "running") resolve();
        container.exited.push(resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
      unsubscribe();
    },
    async openPort(uid, port, streams) {
      const home = pods.get(uid);
      const isListening = home && [...home.containers.values()].some(([run]) => run?.record.state === "running");
      if (!isListening) throw new RuntimeError(`dial tcp4 127.0.0.1:${port}: connect: connection refused`);
      await answerPort(streams, { pod: nameOf(home.pod), port });
    },
    logs: (id, logOptions, signal) => logOf(find(id)).read(logOptions, signal),
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
    async stats(uid) {
      const home = pods.get(uid);
      if (!home) return undefined;
      const at = clock.now();
      const running = [...home.containers.values()].flatMap(([run]) => (run?.record.state === "running" ? [run] : []));
      return {
        at,
        containers: running.map(({ record, behaviour }) => planUsage(record, behaviour, at)),
        volumes: [...home.volumes].map(([name, { size }]) => ({ name, usedBytes: size })),
      };
    },
    async nodeStats() {
      const at = clock.now();
      let imageBytes = 0;
      for (const { sizeBytes } of images.values()) imageBytes += sizeBytes;
      return planNodeUsage({
        node: options.node(),
        stated: [...stated].map(({ record, behaviour }) =>
          planUsage(record, { ...behaviour, memoryBytes: behaviour.memoryBytes ?? 0 }, at),
        ),
        imageBytes,
      });
    },

    adopt(pod) {
      const { status } = pod;
      if (pods.has(uidOf(pod)) || !status?.podIP) return;
      const ips = pod.spec?.hostNetwork ? [] : [status.podIP];
      for (const ip of ips) addresses.claim(ip);
      const sandbox: SandboxRecord = { id: newId(), attempt: 0, state: "ready", ips, createdAt: clock.now() };
      const home: SimulatedPod = { pod, sandbox, containers: new Map(), volumes: new Map() };
      pods.set(uidOf(pod), home);
      sandboxes.set(sandbox.id, home);
      for (const { config, record } of reportedRuns(pod)) {
        const container = newContainer({ config, behaviour: behaviourOf(pod, config.name), home, record });
        home.containers.set(config.name, [container]);
        containers.set(record.id, container);
        images.set(config.image.image, simulatedImage(config.image.image));
        if (record.state === "running") begin(container, record.startedAt ?? clock.now());
      }
    },

    lose() {
      for (const home of pods.values())
        for (const runs of home.containers.values())
          for (const run of runs) {
            const { process } = run;
            // Nobody reports what happened to it.
            run.process = undefined;
            run.home.containers.delete(run.config.name);
            process?.kill();
          }
      for (const home of pods.values()) {
        if (home.sandbox.state === "ready") release(home);
        for (const tree of home.volumes.values()) tree.discard();
      }
      for (const container of containers.values()) discard(container);
      pods.clear();
      sandboxes.clear();
      containers.clear();
      stated.clear();
    },
  };
}

/** What runs in a container sees its files as they are now. */
async function refreshMounts({ config }: SimulatedContainer): Promise<void> {
  for (const { source } of config.mounts) if (source.kind === "files") await source.refresh();
}

/** What a container that nobody asks about any more held in memory. */
function discardContainer({ shell, log }: SimulatedContainer): void {
  shell?.kill();
  shell?.discard();
  log?.discard();
}

function terminationMessage({ config, log, shell }: SimulatedContainer, code: number): string | undefined {
  const written = shell?.files.read(config.terminationMessagePath);
  if (written && written.length > 0) return Buffer.from(written.subarray(0, 4096)).toString("utf8");
  const isFallback = config.terminationMessagePolicy === "FallbackToLogsOnError" && code !== 0;
  return isFallback ? log?.tail(80, 2048) : undefined;
}

/** The record of a container that has exited. */
function exitRecord(
  container: SimulatedContainer,
  { code, reason, at }: { readonly code: number; readonly reason: string | undefined; readonly at: number },
): ContainerRecord {
  const isOutOfMemory = code === 137 && container.shell?.isOutOfMemory === true;
  return {
    ...container.record,
    state: "exited",
    exitCode: code,
    reason: reason ?? (code === 0 ? "Completed" : isOutOfMemory ? "OOMKilled" : "Error"),
    finishedAt: at,
    ...withMessage(terminationMessage(container, code)),
  };
}

const withMessage = (message: string | undefined): { message?: string } => (message ? { message } : {});

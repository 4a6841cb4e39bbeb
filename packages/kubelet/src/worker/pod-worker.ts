import type { Pod, PodStatus } from "@coxswain/api/core/v1";
import { compareResourceVersions } from "@coxswain/apimachinery/resource-version";
import {
  type CachedContainer,
  type CachedPod,
  containersOf,
  initContainersOf,
  isTerminalPhase,
  uidOf,
} from "../objects/cached-pod.js";
import type { PodActions } from "../pod/action-facts.js";
import { activeDeadline, deadlineExceeded } from "../pod/active-deadline.js";
import { disruptionOf } from "../pod/disruption.js";
import { withoutEarlyEnd } from "../pod/early-end.js";
import { planPodActions } from "../pod/pod-actions.js";
import { type PodFailure, planPodStatus } from "../pod/pod-status.js";
import { rejectedStatus } from "../pod/rejected-status.js";
import { planContainerResize } from "../pod/resize.js";
import { isRestartingAll } from "../pod/restart-all.js";
import { specHash } from "../pod/spec-hash.js";
import { planStartLatency } from "../pod/start-latency.js";
import { planStatusPatch } from "../pod/status-patch.js";
import { terminatedStatus } from "../pod/terminated-status.js";
import { graceOf } from "../pod/termination.js";
import { type ContainerKind, type PodRuntimeStatus, sandboxOf } from "../runtime/container-runtime.js";
import { collectDead, removePod } from "./collect-dead.js";
import { ContainerStarter } from "./container-starter.js";
import { createSandbox } from "./create-sandbox.js";
import { EndSignal } from "./end-signal.js";
import { GrowingDelay } from "./growing-delay.js";
import type { ImagePuller } from "./image-puller.js";
import type { NodeContext } from "./node-context.js";
import { PodVolumes } from "./pod-volumes.js";
import { Prober } from "./prober.js";
import { Resizer } from "./resizer.js";
import type { StatusReport } from "./status-writer.js";
import { killContainer, killPod, resetContainer, stopSooner } from "./stop-pod.js";
import { WakeTimer } from "./wake-timer.js";
import type { WorkedPod } from "./worked-pod.js";

/**
 * How far a pod is on this node. `running`: its containers are started and kept; `terminating`: they are being stopped,
 * which nothing takes back; `terminated`: nothing of it runs, and it waits to be deleted.
 */
export type WorkerStage = "running" | "terminating" | "terminated";

export interface PodWorkerOptions {
  readonly context: NodeContext;
  readonly puller: ImagePuller;
  readonly pod: CachedPod;
  /** Nothing of the pod is left, and the API server does not have it either. */
  onGone(): void;
  /** Whether the node is cut off from the API server. */
  isHeld(): boolean;
  /** Of a static pod: what the API server has of it. */
  readonly mirror?: { current(): CachedPod | undefined; written(mirror: Pod): void };
}

const noKills: ReadonlyMap<string, string> = new Map();

/**
 * Brings one pod from its spec to running containers and back, over a `ContainerRuntime`. One step at a time: a step reads
 * pod and containers as they are, reports the status that follows from them, asks `planPodActions` what to do, and does it.
 * Changes of the pod, events of the runtime, verdicts of probes and timers wake it.
 */
export class PodWorker implements StatusReport, WorkedPod {
  readonly #options: Omit<PodWorkerOptions, "pod">;
  readonly #context: NodeContext;
  readonly #prober: Prober;
  readonly #resizer: Resizer;
  readonly #starter: ContainerStarter;
  readonly #volumes: PodVolumes;
  readonly #timer: WakeTimer;
  readonly #retryMs = new GrowingDelay();
  readonly #ending = new EndSignal();
  /** Ends starts when the pod ends. */
  readonly #starting = new EndSignal();
  #pod: CachedPod;
  #stage: WorkerStage = "running";
  #status: PodStatus | undefined;
  #kills = noKills;
  #failure: PodFailure | undefined;
  #isAdmitted = false;
  #isDeleted = false;
  #podIPs: readonly string[] = [];
  #loop: Promise<void> | undefined;
  #isDirty = false;
  #graceSeconds: number | undefined;
  /** Until the pod has started: when it was seen first, and how long pulls of images took. */
  #start: { readonly seenAt: number; pulledMs: number } | undefined;
  #isSynced = false;

  constructor({ pod, ...options }: PodWorkerOptions) {
    const { context } = options;
    this.#options = options;
    this.#context = context;
    this.#pod = pod;
    if (pod.status?.startTime === undefined) this.#start = { seenAt: context.runtime.clock.now(), pulledMs: 0 };
    this.#timer = new WakeTimer(context.runtime.clock, this);
    this.#volumes = new PodVolumes(context, this);
    this.#prober = new Prober(context, this);
    this.#starter = new ContainerStarter(context, options.puller, this);
    this.#resizer = new Resizer(context, this);
  }

  get uid(): string {
    return uidOf(this.#pod);
  }

  get client(): NodeContext["client"] {
    return this.#context.client;
  }

  get isResizePending(): boolean {
    return this.#resizer.isPending && this.#stage === "running";
  }

  get stage(): WorkerStage {
    return this.#stage;
  }

  /** The API server does not have the pod any more. */
  get isRemoved(): boolean {
    return this.#isDeleted;
  }

  pod(): CachedPod {
    return this.#pod;
  }

  podIPs(): readonly string[] {
    return this.#podIPs;
  }

  stored(): CachedPod | undefined {
    const { mirror } = this.#options;
    return mirror ? mirror.current() : this.#pod;
  }

  wanted(): PodStatus | undefined {
    return this.#status;
  }

  kills(): ReadonlyMap<string, string> {
    return this.#kills;
  }

  /** What was counted of its probes. */
  probeTallies(): ReturnType<Prober["tallies"]> {
    return this.#prober.tallies();
  }

  isFinished(): boolean {
    return this.#stage === "terminated";
  }

  isHeld(): boolean {
    return this.#options.isHeld();
  }

  written(pod: Pod): void {
    const { mirror } = this.#options;
    if (mirror) mirror.written(pod);
    else this.#take(pod);
  }

  vanished(): void {
    if (!this.#options.mirror) this.remove();
  }

  /** A static pod's manifest is gone, or another one. */
  end(): void {
    if (this.#isDeleted) return;
    this.#isDeleted = true;
    this.#terminate(graceOf(this.#pod));
    this.wake();
  }

  begin(): void {
    if (this.#pod.metadata?.deletionTimestamp !== undefined) this.#terminate(graceOf(this.#pod));
    this.wake();
  }

  /** The pod as the API server has it now. The one of the cache takes the place of an equal answer, which only this worker would hold. */
  update(pod: CachedPod): void {
    if (this.#take(pod)) this.wake();
    else if (pod.metadata?.resourceVersion === this.#pod.metadata?.resourceVersion) this.#pod = pod;
    this.#shareStatus();
  }

  /** The API server does not have the pod any more: whatever is left of it ends. */
  remove(): void {
    if (this.#isDeleted) return;
    this.#isDeleted = true;
    this.#terminate(Math.min(graceOf(this.#pod), 1));
    this.wake();
  }

  /** Ends the pod as failed, for a reason of the node. */
  evict(failure: PodFailure, graceSeconds: number): void {
    if (this.#stage !== "running") return;
    this.#failure = failure;
    this.#terminate(graceSeconds);
    this.wake();
  }

  wake(): void {
    this.#isDirty = true;
    this.#loop ??= this.#run();
  }

  wakeAt(at: number): void {
    if (!this.#ending.isEnded) this.#timer.wakeAt(at);
  }

  /** Leaves everything as it is, as the end of the kubelet's process does. */
  async stop(): Promise<void> {
    this.#ending.end();
    this.#starting.end();
    this.#timer.cancel();
    this.#prober.stop();
    await this.#loop;
  }

  /** Keeps the newer of two states of the pod; false where it is the known one. */
  #take(pod: CachedPod): boolean {
    const [next, known] = [pod.metadata?.resourceVersion ?? "", this.#pod.metadata?.resourceVersion ?? ""];
    if (next === known || (known !== "" && compareResourceVersions(next, known) < 0)) return false;
    this.#pod = pod;
    this.#countStart();
    if (pod.metadata?.deletionTimestamp === undefined) return true;
    this.#terminate(graceOf(pod));
    this.wake();
    return true;
  }

  /**
   * One copy of a status is enough: 2 KB of each pod that runs. What the API server stored differs by what it adds itself (`qosClass`,
   * `lastProbeTime: null`), so that equal is what needs no write.
   */
  #shareStatus(): void {
    const { status } = this.#pod;
    if (this.#status === status || !this.#status || !status) return;
    if (planStatusPatch(status, this.#status) === undefined) this.#status = status as PodStatus;
  }

  /** Once, when the API server has the pod with all its containers started. */
  #countStart(): void {
    if (!this.#start) return;
    const { runtime, counts } = this.#context;
    const latency = planStartLatency(this.#pod, this.#start.pulledMs, runtime.clock.now());
    if (!latency) return;
    this.#start = undefined;
    counts.podStarted(latency);
  }

  #terminate(graceSeconds: number): void {
    const shorter = this.#graceSeconds === undefined ? graceSeconds : Math.min(graceSeconds, this.#graceSeconds);
    const isShorter = shorter !== this.#graceSeconds;
    this.#graceSeconds = shorter;
    if (this.#stage === "terminating" && isShorter) void stopSooner(this.#context, this.uid, shorter);
    if (this.#stage !== "running") return;
    this.#stage = "terminating";
    this.#starting.end();
    this.#prober.stopLivenessAndStartup();
  }

  async #run(): Promise<void> {
    while (this.#isDirty && !this.#ending.isEnded) {
      this.#isDirty = false;
      const stage = this.#stage;
      const { clock } = this.#context.runtime;
      const began = clock.now();
      try {
        await this.#step();
        const operation = stage !== "running" ? "kill" : this.#isSynced ? "sync" : "create";
        this.#context.counts.podSynced(operation, clock.now() - began);
        this.#isSynced = true;
        this.#retryMs.reset();
      } catch (error) {
        if (this.#ending.isEnded) break;
        // A start that the pod's end cut short: the next step ends it.
        if (stage === "running" && this.#starting.isEnded) continue;
        this.#context.runtime.log.info("a pod could not be synced and is tried again", {
          pod: this.#pod.metadata?.name,
          error,
        });
        this.wakeAt(this.#context.runtime.clock.now() + this.#retryMs.next());
      }
    }
    this.#ending.release();
    this.#starting.release();
    this.#loop = undefined;
  }

  async #step(): Promise<void> {
    switch (this.#stage) {
      case "running":
        return this.#stepRunning();
      case "terminating":
        return this.#stepTerminating();
      case "terminated":
        return this.#finish();
    }
  }

  async #stepRunning(): Promise<void> {
    if (!this.#isAdmitted && !this.#admit()) return;
    const runtime = await this.#context.containers.podStatus(this.uid);
    if (isTerminalPhase(this.#pod.status?.phase) || this.#isPastDeadline()) {
      this.#terminate(graceOf(this.#pod));
      this.#isDirty = true;
      return;
    }
    this.#watchProbes(runtime);
    this.#resizer.decide();
    const status = this.#report(runtime, false);
    if (isTerminalPhase(status.phase)) {
      this.#terminate(graceOf(this.#pod));
      this.#isDirty = true;
      return;
    }
    if (!(await this.#volumes.mount(this.#pod, this.#starting.signal))) return;
    if (await this.#resizer.step(runtime)) {
      this.#isDirty = true;
      return;
    }
    const actions = planPodActions(this.#resizer.given(), {
      runtime,
      restartsAll: isRestartingAll(status),
      hashOf: specHash,
      probed: (record, kind) => this.#prober.verdict(record, kind),
      needsRestartToResize: (record, container) => planContainerResize(container, record) === "restart",
    });
    await this.#carryOut(actions, runtime);
  }

  /** Asks once whether the pod may run here; one that may not has failed. */
  #admit(): boolean {
    this.#isAdmitted = true;
    // What ran before the kubelet was restarted is not asked about again.
    if (this.#pod.status?.startTime !== undefined || this.#pod.metadata?.deletionTimestamp !== undefined) return true;
    const admission = this.#context.admit(this.#pod);
    if (admission.admitted) return true;
    const { reason, message } = admission;
    this.#context.counts.podRejected(reason);
    this.#context.record(this.#pod, { type: "Warning", reason, message });
    this.#status = rejectedStatus(this.#pod, admission, this.#context.runtime.clock.now());
    this.#stage = "terminated";
    this.#context.writer.enqueue(this);
    return false;
  }

  /** Whether activeDeadlineSeconds have passed; if not, the worker wakes when they have. */
  #isPastDeadline(): boolean {
    const now = this.#context.runtime.clock.now();
    const at = activeDeadline(this.#pod, this.#status?.startTime ?? this.#pod.status?.startTime, now);
    if (at === undefined) return false;
    if (now < at) {
      this.wakeAt(at);
      return false;
    }
    this.#failure ??= deadlineExceeded;
    this.#context.record(this.#pod, { type: "Normal", ...deadlineExceeded });
    return true;
  }

  #watchProbes({ containers }: PodRuntimeStatus): void {
    for (const container of [...initContainersOf(this.#pod), ...containersOf(this.#pod)]) {
      const record = containers.get(container.name)?.[0];
      if (record?.state === "running") this.#prober.track(container, record);
      else this.#prober.forget(container);
    }
  }

  #report(runtime: PodRuntimeStatus, isTerminal: boolean): PodStatus {
    const {
      hostIPs,
      runtime: { clock },
    } = this.#context;
    const ips = sandboxOf(runtime)?.ips ?? [];
    if (ips.length > 0) this.#podIPs = ips;
    else if (this.#pod.spec?.hostNetwork) this.#podIPs = hostIPs;
    const status = planPodStatus(this.#resizer.given(), {
      runtime,
      runtimeName: this.#context.containers.name,
      before: this.#status ?? this.#pod.status ?? {},
      failures: this.#starter.failures,
      ...(this.#failure && isTerminal && { failure: this.#failure }),
      isTerminal,
      isStarted: (record, container) => this.#prober.isStarted(record, container),
      isReady: (record, container) => this.#prober.isReady(record, container),
      besides: isTerminal ? disruptionOf(this.#failure) : this.#resizer.conditions(),
      hostIPs,
      now: clock.now(),
    });
    const hasRun = (this.#status ?? this.#pod.status)?.phase === "Running";
    if (this.#start && status.phase === "Running" && !hasRun)
      this.#context.counts.podRuns(clock.now() - this.#start.seenAt);
    this.#status = isTerminal ? status : withoutEarlyEnd(status, this.#status ?? this.#pod.status ?? {});
    this.#shareStatus();
    this.#context.writer.enqueue(this);
    return status;
  }

  async #carryOut(actions: PodActions, runtime: PodRuntimeStatus): Promise<void> {
    const { containers } = this.#context;
    const pod = this.#resizer.given();
    const before = sandboxOf(runtime);
    if (actions.killPod) {
      if (before && actions.createSandbox)
        this.#context.record(pod, {
          type: "Normal",
          reason: "SandboxChanged",
          message: "Pod sandbox changed, it will be killed and re-created.",
        });
      if (before || !actions.createSandbox) await killPod(this.#context, { pod, status: runtime }, this.#ending.signal);
      if (!actions.createSandbox) {
        this.#isDirty = true;
        return;
      }
    }
    for (const reset of actions.reset) await resetContainer(this.#context, { pod, ...reset }, this.#ending.signal);
    if (actions.reset.length > 0) {
      this.#isDirty = true;
      return;
    }
    if (actions.kill.length > 0) this.#kills = new Map(actions.kill.map(({ record, message }) => [record.id, message]));
    for (const kill of actions.kill) await killContainer(this.#context, { pod, ...kill }, this.#ending.signal);
    const sandbox = actions.createSandbox
      ? await createSandbox(this.#context, { pod: this.#pod, before }, this.#starting.signal)
      : before;
    if (!sandbox) {
      if (actions.createSandbox) this.wakeAt(this.#context.runtime.clock.now() + 10_000);
      return;
    }
    const status = actions.kill.length > 0 || actions.createSandbox ? await containers.podStatus(this.uid) : runtime;
    if (sandbox.ips.length > 0) this.#podIPs = sandbox.ips;
    await collectDead(containers, status);
    const onPulled = (ms: number): void => {
      if (this.#start) this.#start.pulledMs += ms;
    };
    const place = { pod, sandbox, status, volumes: this.#volumes.mounted, podIPs: this.#podIPs, onPulled };
    const start = async (containers: readonly CachedContainer[], kind: ContainerKind): Promise<boolean> => {
      const { hasChanged, isComplete } = await this.#starter.startAll(containers, kind, place, this.#starting.signal);
      if (hasChanged) this.#isDirty = true;
      return isComplete;
    };
    await start(actions.startEphemeral, "ephemeral");
    // Those behind an init container that could not be started wait.
    if (await start(actions.startInit, "init")) await start(actions.start, "regular");
  }

  async #stepTerminating(): Promise<void> {
    const { containers, host } = this.#context;
    const status = await containers.podStatus(this.uid);
    this.#report(status, false);
    const grace = this.#graceSeconds ?? graceOf(this.#pod);
    await killPod(this.#context, { pod: this.#pod, status, graceSeconds: grace }, this.#ending.signal);
    if (this.#ending.isEnded) return;
    this.#prober.stop();
    const stopped = await containers.podStatus(this.uid);
    await host.release(this.uid);
    this.#stage = "terminated";
    this.#status = terminatedStatus(this.#pod, this.#report(stopped, true));
    this.#isDirty = true;
  }

  async #finish(): Promise<void> {
    const { containers, host, writer } = this.#context;
    if (!this.#isDeleted) return writer.enqueue(this);
    await removePod(containers, await containers.podStatus(this.uid));
    await host.discard(this.uid);
    this.#timer.cancel();
    this.#options.onGone();
  }
}

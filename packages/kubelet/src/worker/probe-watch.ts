import type { Probe } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { Timer } from "@coxswain/runtime/clock";
import type { CachedContainer, CachedPod } from "../objects/cached-pod.js";
import type { ProbeVerdict } from "../pod/action-facts.js";
import type { ProbeKind } from "../pod/first-verdict.js";
import type { ProbeResult } from "../probes/probe-result.js";
import { countResult, noProbeRun } from "../probes/probe-run.js";
import { addProbe, noProbes, type ProbeTally } from "../probes/probe-tally.js";
import type { ContainerRecord } from "../runtime/container-runtime.js";
import { askProbe } from "./ask-probe.js";
import type { NodeContext } from "./node-context.js";

export interface ProbeWatchOptions {
  readonly context: NodeContext;
  readonly container: CachedContainer;
  readonly record: ContainerRecord;
  readonly kind: ProbeKind;
  readonly probe: DeepReadonly<Probe>;
  /** What holds before the first result that counts. */
  readonly verdict: ProbeVerdict;
  pod(): CachedPod;
  podIP(): string;
  /** Liveness and readiness count only once the container has started. */
  isStarted(): boolean;
  /** The verdict has changed. */
  onVerdict(verdict: ProbeVerdict): void;
}

/** One probe of one run of a container: it is asked now and then, and enough results in a row are a verdict. */
export class ProbeWatch {
  readonly container: CachedContainer;
  readonly record: ContainerRecord;
  readonly kind: ProbeKind;
  readonly #options: ProbeWatchOptions;
  #verdict: ProbeVerdict;
  #tally = noProbes;
  #run = noProbeRun;
  #timer: Timer | undefined;
  #isStopped = false;

  constructor(options: ProbeWatchOptions) {
    this.#options = options;
    this.container = options.container;
    this.record = options.record;
    this.kind = options.kind;
    this.#verdict = options.verdict;
  }

  get verdict(): ProbeVerdict {
    return this.#verdict;
  }

  get tally(): ProbeTally {
    return this.#tally;
  }

  /** Asks as soon as the initial delay is over. */
  begin(): void {
    const { probe, record, context } = this.#options;
    const { clock } = context.runtime;
    const delayMs = (probe.initialDelaySeconds ?? 0) * 1000;
    this.#arm(Math.max(clock.now(), (record.startedAt ?? clock.now()) + delayMs));
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  #arm(at: number): void {
    if (this.#isStopped) return;
    const { clock } = this.#options.context.runtime;
    this.#timer?.cancel();
    this.#timer = clock.setTimer(Math.max(0, at - clock.now()), () => void this.#ask());
  }

  async #ask(): Promise<void> {
    const { context, container, record, probe, podIP, isStarted } = this.#options;
    const { clock } = context.runtime;
    const periodMs = (probe.periodSeconds ?? 10) * 1000;
    const began = clock.now();
    const due = began + periodMs;
    if (this.kind !== "startup" && !isStarted()) return;
    const result = await askProbe(context, { container, id: record.id, probe, podIP: podIP() });
    if (this.#isStopped) return;
    this.#recordEvent(result);
    if (result.kind === "error") return this.#arm(due);
    const isSuccess = result.kind !== "failure";
    this.#tally = addProbe(this.#tally, isSuccess, (clock.now() - began) / 1000);
    const { run, isReached } = countResult(this.#run, isSuccess, probe);
    this.#run = run;
    if (!isReached) return this.#arm(due);
    this.#decide(isSuccess ? "success" : "failure");
    const isOver = this.kind === "startup" || (this.kind === "liveness" && !isSuccess);
    if (isOver || result.until === Number.POSITIVE_INFINITY) return;
    const periods = Math.ceil(Math.max(0, (result.until ?? due) - due) / periodMs);
    this.#arm(due + periods * periodMs);
  }

  #decide(verdict: ProbeVerdict): void {
    if (this.#verdict === verdict) return;
    this.#verdict = verdict;
    this.#options.onVerdict(verdict);
  }

  /** pkg/kubelet/prober/prober.go, probe. */
  #recordEvent(result: ProbeResult): void {
    const { context, pod, container } = this.#options;
    const title = this.kind.charAt(0).toUpperCase() + this.kind.slice(1);
    const record = (reason: string, message: string): void =>
      context.record(pod(), { type: "Warning", reason, message: `${title} probe ${message}` }, container.name);
    if (result.kind === "error") record("Unhealthy", `errored and resulted in ${result.state} state: ${result.error}`);
    if (result.kind === "failure") record("Unhealthy", `failed: ${result.output}`);
    if (result.kind === "warning") record("ProbeWarning", `warning: ${result.output}`);
  }
}

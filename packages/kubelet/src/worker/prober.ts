import type { Probe } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { CachedContainer } from "../objects/cached-pod.js";
import type { ProbeVerdict } from "../pod/action-facts.js";
import { firstVerdict, type ProbeKind } from "../pod/first-verdict.js";
import type { ProbeTally } from "../probes/probe-tally.js";
import type { ContainerRecord } from "../runtime/container-runtime.js";
import type { NodeContext } from "./node-context.js";
import { ProbeWatch } from "./probe-watch.js";
import type { WorkedPod } from "./worked-pod.js";

/** The probes of one pod's containers. */
export class Prober {
  readonly #context: NodeContext;
  readonly #worked: Omit<WorkedPod, "wakeAt">;
  /** By run and kind. Most pods have none. */
  #watches: Map<string, ProbeWatch> | undefined;

  constructor(context: NodeContext, worked: Omit<WorkedPod, "wakeAt">) {
    this.#context = context;
    this.#worked = worked;
  }

  /** Probes the run of a container from now on, if it has probes; earlier runs are forgotten. */
  track(container: CachedContainer, record: ContainerRecord): void {
    for (const [kind, probe] of probesOf(container)) {
      if (this.#watches?.has(keyOf(record, kind))) continue;
      this.#stopWhere((watch) => watch.container.name === container.name && watch.kind === kind);
      this.#watch(container, record, kind, probe);
    }
  }

  #watch(container: CachedContainer, record: ContainerRecord, kind: ProbeKind, probe: DeepReadonly<Probe>): void {
    const worked = this.#worked;
    const watch = new ProbeWatch({
      context: this.#context,
      container,
      record,
      kind,
      probe,
      verdict: firstVerdict(worked.pod(), record, kind),
      pod: () => worked.pod(),
      podIP: () => worked.podIPs()[0] ?? "",
      isStarted: () => this.isStarted(record, container),
      onVerdict: (verdict) => {
        if (kind === "startup" && verdict === "success") this.#started(record);
        worked.wake();
      },
    });
    (this.#watches ??= new Map()).set(keyOf(record, kind), watch);
    // A container that has started is not asked again whether it has.
    if (kind !== "startup" || watch.verdict !== "success") watch.begin();
  }

  #started(record: ContainerRecord): void {
    for (const watch of this.#watches?.values() ?? [])
      if (watch.record.id === record.id && watch.kind !== "startup") watch.begin();
  }

  /** Its last run has ended: nothing is probed until the next one. */
  forget({ name }: CachedContainer): void {
    this.#stopWhere(({ container }) => container.name === name);
  }

  /** Undefined before the first probe that counts. */
  verdict(record: ContainerRecord, kind: ProbeKind): ProbeVerdict | undefined {
    return this.#watches?.get(keyOf(record, kind))?.verdict;
  }

  isStarted(record: ContainerRecord, container: CachedContainer): boolean {
    return record.state === "running" && (!container.startupProbe || this.verdict(record, "startup") === "success");
  }

  isReady(record: ContainerRecord, container: CachedContainer): boolean {
    return record.state === "running" && (!container.readinessProbe || this.verdict(record, "readiness") === "success");
  }

  /** What was counted of the probes that are watched now. */
  *tallies(): Iterable<{ readonly container: string; readonly kind: ProbeKind; readonly tally: ProbeTally }> {
    for (const { container, kind, tally } of this.#watches?.values() ?? [])
      yield { container: container.name, kind, tally };
  }

  /** While a pod ends only its readiness counts. */
  stopLivenessAndStartup(): void {
    this.#stopWhere(({ kind }) => kind !== "readiness");
  }

  stop(): void {
    this.#stopWhere(() => true);
  }

  #stopWhere(matches: (watch: ProbeWatch) => boolean): void {
    for (const [key, watch] of this.#watches ?? []) {
      if (!matches(watch)) continue;
      watch.stop();
      this.#watches?.delete(key);
    }
  }
}

const keyOf = (record: ContainerRecord, kind: ProbeKind): string => `${record.id}/${kind}`;

function probesOf(container: CachedContainer): [ProbeKind, DeepReadonly<Probe>][] {
  const probes: [ProbeKind, DeepReadonly<Probe>][] = [];
  if (container.startupProbe) probes.push(["startup", container.startupProbe]);
  if (container.livenessProbe) probes.push(["liveness", container.livenessProbe]);
  if (container.readinessProbe) probes.push(["readiness", container.readinessProbe]);
  return probes;
}

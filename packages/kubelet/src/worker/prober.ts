import type { Probe } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { Timer } from "@coxswain/runtime/clock";
import type { CachedContainer, CachedPod } from "../objects/cached-pod.js";
import { firstVerdict, type ProbeKind } from "../pod/first-verdict.js";
import type { ProbeVerdict } from "../pod/pod-actions.js";
import type { ContainerRecord } from "../runtime/container-runtime.js";
import type { NodeContext } from "./node-context.js";
import { askProbe } from "./ask-probe.js";

/** The probes of one pod's containers. */
export interface Prober {
  /** Probes the run of a container from now on, if it has probes; earlier runs are forgotten. */
  track(container: CachedContainer, record: ContainerRecord): void;
  /** Its last run has ended: nothing is probed until the next one. */
  forget(container: CachedContainer): void;
  /** Undefined before the first probe that counts. */
  verdict(record: ContainerRecord, kind: ProbeKind): ProbeVerdict | undefined;
  isStarted(record: ContainerRecord, container: CachedContainer): boolean;
  isReady(record: ContainerRecord, container: CachedContainer): boolean;
  /** While a pod ends only its readiness counts. */
  stopLivenessAndStartup(): void;
  stop(): void;
}

interface Watched {
  readonly container: CachedContainer;
  readonly record: ContainerRecord;
  readonly kind: ProbeKind;
  readonly probe: DeepReadonly<Probe>;
  verdict: ProbeVerdict | undefined;
  last: boolean | undefined;
  run: number;
  timer: Timer | undefined;
  stopped: boolean;
}

export interface ProberOptions {
  readonly context: NodeContext;
  pod(): CachedPod;
  podIPs(): readonly string[];
  /** A verdict has changed. */
  onChange(): void;
}

export function createProber({ context, pod, podIPs, onChange }: ProberOptions): Prober {
  const { clock } = context.runtime;
  const watched = new Map<string, Watched>();
  const keyOf = (record: ContainerRecord, kind: ProbeKind): string => `${record.id}/${kind}`;

  function track(container: CachedContainer, record: ContainerRecord): void {
    for (const [kind, probe] of probesOf(container)) {
      const key = keyOf(record, kind);
      if (watched.has(key)) continue;
      for (const [other, { container: named, kind: same }] of watched)
        if (named.name === container.name && same === kind) stopWatch(other);
      const watch: Watched = {
        container,
        record,
        kind,
        probe,
        verdict: firstVerdict(pod(), record, kind),
        last: undefined,
        run: 0,
        timer: undefined,
        stopped: false,
      };
      watched.set(key, watch);
      // A container that has started is not asked again whether it has.
      if (kind !== "startup" || watch.verdict !== "success") arm(watch, firstProbe(watch));
    }
  }

  const firstProbe = ({ probe, record }: Watched): number =>
    Math.max(clock.now(), (record.startedAt ?? clock.now()) + (probe.initialDelaySeconds ?? 0) * 1000);

  function arm(watch: Watched, at: number): void {
    if (watch.stopped) return;
    watch.timer?.cancel();
    watch.timer = clock.setTimer(Math.max(0, at - clock.now()), () => void ask(watch));
  }

  async function ask(watch: Watched): Promise<void> {
    const { container, record, kind, probe } = watch;
    const periodMs = (probe.periodSeconds ?? 10) * 1000;
    const due = clock.now() + periodMs;
    // Liveness and readiness count only once the container has started.
    if (kind !== "startup" && !isStarted(record, container)) return;
    const answer = await askProbe(context, { pod: pod(), container, record, probe, podIP: podIPs()[0] ?? "" });
    if (watch.stopped) return;
    if (!answer.success)
      context.record(
        pod(),
        { type: "Warning", reason: "Unhealthy", message: `${title(kind)} probe failed: ${answer.output}` },
        container.name,
      );
    watch.run = watch.last === answer.success ? watch.run + 1 : 1;
    watch.last = answer.success;
    const threshold = answer.success ? (probe.successThreshold ?? 1) : (probe.failureThreshold ?? 3);
    if (watch.run < threshold) return arm(watch, due);
    decide(watch, answer.success ? "success" : "failure");
    const isOver = kind === "startup" || (kind === "liveness" && !answer.success);
    if (isOver || answer.until === Number.POSITIVE_INFINITY) return;
    const periods = Math.ceil(Math.max(0, (answer.until ?? due) - due) / periodMs);
    arm(watch, due + periods * periodMs);
  }

  function decide(watch: Watched, verdict: ProbeVerdict): void {
    if (watch.verdict === verdict) return;
    watch.verdict = verdict;
    if (watch.kind === "startup" && verdict === "success")
      for (const other of watched.values())
        if (other.record.id === watch.record.id && other !== watch) arm(other, firstProbe(other));
    onChange();
  }

  function stopWatch(key: string): void {
    const watch = watched.get(key);
    if (!watch) return;
    watch.stopped = true;
    watch.timer?.cancel();
    watched.delete(key);
  }

  const verdict = (record: ContainerRecord, kind: ProbeKind): ProbeVerdict | undefined =>
    watched.get(keyOf(record, kind))?.verdict;
  const isStarted = (record: ContainerRecord, container: CachedContainer): boolean =>
    record.state === "running" && (!container.startupProbe || verdict(record, "startup") === "success");

  return {
    track,
    forget({ name }) {
      for (const [key, { container }] of watched) if (container.name === name) stopWatch(key);
    },
    verdict,
    isStarted,
    isReady: (record, container) =>
      record.state === "running" && (!container.readinessProbe || verdict(record, "readiness") === "success"),
    stopLivenessAndStartup() {
      for (const [key, { kind }] of watched) if (kind !== "readiness") stopWatch(key);
    },
    stop: () => [...watched.keys()].forEach(stopWatch),
  };
}

const title = (kind: ProbeKind): string => kind.charAt(0).toUpperCase() + kind.slice(1);

function probesOf(container: CachedContainer): [ProbeKind, DeepReadonly<Probe>][] {
  const probes: [ProbeKind, DeepReadonly<Probe>][] = [];
  if (container.startupProbe) probes.push(["startup", container.startupProbe]);
  if (container.livenessProbe) probes.push(["liveness", container.livenessProbe]);
  if (container.readinessProbe) probes.push(["readiness", container.readinessProbe]);
  return probes;
}

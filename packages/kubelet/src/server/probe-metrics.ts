import { append } from "@coxswain/apimachinery/append";
import type { NodeAgent } from "../node/node-agent.js";
import { nameOf, namespaceOf } from "../objects/cached-pod.js";
import { type ProbeTally, probeDurationBuckets } from "../probes/probe-tally.js";
import { type MetricSample, metricText } from "./metric-text.js";

/** `/metrics/probes` (pkg/kubelet/prober/prober_manager.go, ProberResults and ProberDuration). */
export function probeMetrics(agent: NodeAgent): string {
  const [totals, durations]: [MetricSample[], MetricSample[]] = [[], []];
  for (const worker of agent.workers.values()) {
    const pod = worker.pod();
    for (const { container, kind, tally } of worker.probeTallies()) {
      const probe_type = kind.charAt(0).toUpperCase() + kind.slice(1);
      const labels = { probe_type, container, pod: nameOf(pod), namespace: namespaceOf(pod) };
      for (const result of ["successful", "failed"] as const)
        if (tally[result] > 0)
          totals.push({ labels: { ...labels, pod_uid: worker.uid, result }, value: tally[result] });
      append(durations, durationSamples(labels, tally));
    }
  }
  return metricText([
    {
      name: "prober_probe_duration_seconds",
      help: "Duration in seconds for a probe response.",
      type: "histogram",
      stability: "ALPHA",
      samples: durations,
    },
    {
      name: "prober_probe_total",
      help: "Cumulative number of a liveness, readiness or startup probe for a container by result.",
      type: "counter",
      stability: "BETA",
      samples: totals,
    },
  ]);
}

function durationSamples(
  labels: Readonly<Record<string, string>>,
  { successful, durations, durationSum }: ProbeTally,
): MetricSample[] {
  if (successful === 0) return [];
  let count = 0;
  const buckets = [...probeDurationBuckets.map(String), "+Inf"].map((le, i) => {
    count += durations[i] ?? 0;
    return { suffix: "_bucket", labels: { ...labels, le }, value: count };
  });
  return [...buckets, { suffix: "_sum", labels, value: durationSum }, { suffix: "_count", labels, value: successful }];
}

/** A file that clusterloader2 leaves in its report. */
export interface SummaryFile {
  readonly name: string;
  readonly text: string;
}

export interface Summaries {
  /** From the creation of a pod to its being seen running, by measurement, in milliseconds. */
  readonly podStartups: readonly { readonly measurement: string; readonly p50Ms: number; readonly p99Ms: number }[];
  /** Pods scheduled per second, in the windows in which some were. */
  readonly throughput: { readonly p50: number; readonly max: number } | undefined;
}

interface PerfData {
  readonly dataItems?: readonly {
    readonly data?: Readonly<Record<string, number>>;
    readonly labels?: Readonly<Record<string, string>>;
  }[];
}

/** Pure. Stateful pods and the steps of a start (create to schedule, and so on) are in the files, not here. */
export function readSummaries(files: readonly SummaryFile[]): Summaries {
  const podStartups = files.flatMap(({ name, text }) => {
    const measurement = /^PodStartupLatency_(.+?)_/.exec(name)?.[1];
    if (measurement === undefined) return [];
    const { dataItems = [] } = JSON.parse(text) as PerfData;
    const whole = dataItems.find(({ labels }) => labels?.["Metric"] === "pod_startup");
    const { Perc50, Perc99 } = whole?.data ?? {};
    return Perc50 === undefined || Perc99 === undefined ? [] : [{ measurement, p50Ms: Perc50, p99Ms: Perc99 }];
  });
  const throughput = files.find(({ name }) => name.startsWith("SchedulingThroughput"));
  return { podStartups, throughput: throughput && readThroughput(throughput.text) };
}

function readThroughput(text: string): Summaries["throughput"] {
  const { perc50, max } = JSON.parse(text) as { perc50?: number; max?: number };
  return perc50 === undefined || max === undefined ? undefined : { p50: perc50, max };
}

/** Usage that a kubelet counted up to one moment. */
export interface UsagePoint {
  /** Of the samples, in milliseconds since 1970. */
  readonly at: number;
  /** Since the machine or the container began. */
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
  /** Of a container, in seconds since 1970; 0: not known. */
  readonly startedAt: number;
}

export interface NodePoints {
  readonly node: UsagePoint | undefined;
  /** By `namespace/name` of the pod, then by the name of the container. */
  readonly pods: ReadonlyMap<string, ReadonlyMap<string, UsagePoint>>;
}

type Draft = { -readonly [Member in keyof UsagePoint]: UsagePoint[Member] | undefined };

/** Which member of a point a family of `/metrics/resource` is. Those that are not here are not read, as by metrics-server (pkg/scraper/client/resource/decode.go). */
const members: Readonly<Record<string, keyof UsagePoint>> = {
  node_cpu_usage_seconds_total: "cpuSeconds",
  node_memory_working_set_bytes: "memoryBytes",
  container_cpu_usage_seconds_total: "cpuSeconds",
  container_memory_working_set_bytes: "memoryBytes",
  container_start_time_seconds: "startedAt",
};

/** Pure: what a kubelet's `/metrics/resource` has. Lines of another form are passed over; a container that lacks processor or memory is left out. */
export function parseUsage(text: string, now: number): NodePoints {
  const node: Draft = emptyDraft();
  const pods = new Map<string, Map<string, Draft>>();
  for (const line of text.split("\n")) {
    const [, name = "", labels = "", value = "", at] =
      /^([a-z_]+)(?:\{([^}]*)\})? (\S+)(?: (\d{1,15}))?$/.exec(line) ?? [];
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    const number = Number(value);
    if (member === undefined || !Number.isFinite(number)) continue;
    const draft = name.startsWith("node_") ? node : containerDraft(pods, labels);
    if (!draft) continue;
    draft[member] = number;
    draft.at ??= at === undefined ? now : Number(at);
  }
  return {
    node: finished(node),
    pods: new Map(
      [...pods].map(([pod, containers]) => [
        pod,
        new Map([...containers].flatMap(([name, draft]) => pairOf(name, finished(draft)))),
      ]),
    ),
  };
}

const emptyDraft = (): Draft => ({
  at: undefined,
  cpuSeconds: undefined,
  memoryBytes: undefined,
  startedAt: undefined,
});

/** Names of pods, namespaces and containers have nothing that a label's value would escape. */
function containerDraft(pods: Map<string, Map<string, Draft>>, labels: string): Draft | undefined {
  const of = (label: string): string => {
    const pair = labels.split(",").find((each) => each.startsWith(`${label}="`));
    return pair?.slice(label.length + 2, -1) ?? "";
  };
  const [container, namespace, pod] = [of("container"), of("namespace"), of("pod")];
  if (container === "" || namespace === "" || pod === "") return undefined;
  const key = `${namespace}/${pod}`;
  const containers = pods.get(key) ?? new Map<string, Draft>();
  pods.set(key, containers);
  const draft = containers.get(container) ?? emptyDraft();
  containers.set(container, draft);
  return draft;
}

const finished = ({ at, cpuSeconds, memoryBytes, startedAt = 0 }: Draft): UsagePoint | undefined =>
  at === undefined || cpuSeconds === undefined || memoryBytes === undefined
    ? undefined
    : { at, cpuSeconds, memoryBytes, startedAt };

const pairOf = (name: string, point: UsagePoint | undefined): [string, UsagePoint][] => (point ? [[name, point]] : []);

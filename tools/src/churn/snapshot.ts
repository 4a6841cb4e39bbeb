/** An object as kubectl prints it. */
export interface Item {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly generation?: number;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly {
      kind: string;
      name: string;
      uid: string;
      controller?: boolean;
      blockOwnerDeletion?: boolean;
    }[];
  };
  readonly [member: string]: unknown;
}

/** What is compared, as text by identity: equal ends have equal texts. */
export type Snapshot = ReadonlyMap<string, string>;

type Json = unknown;
type Fields = Record<string, Json>;

const without = (object: Json, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries((object ?? {}) as Fields).filter(([name]) => !names.includes(name)));

/** Times and what follows from them differ in every run. */
const withoutTimes = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !/(Time|Timestamp|observedGeneration)$/.test(name))
      .map(([name, member]) => [name, withoutTimes(member)]),
  );
};

const sortedConditions = (status: Json): Json => {
  const { conditions, ...rest } = (status ?? {}) as { conditions?: { type: string }[] };
  if (!conditions) return rest;
  return { ...rest, conditions: [...conditions].sort((a, b) => (a.type < b.type ? -1 : 1)) };
};

const ownersOf = ({ metadata }: Item): Json =>
  metadata.ownerReferences?.map(({ kind, name, controller, blockOwnerDeletion }) => ({
    kind,
    name,
    controller,
    blockOwnerDeletion,
  }));

/** Annotations that count writes or hold times. */
const volatileAnnotations = [
  "endpoints.kubernetes.io/last-change-trigger-time",
  "pv.kubernetes.io/bound-by-controller",
];

/** Where the scheduler put a pod. */
const volatileLabels = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"];

const common = ({ metadata, kind }: Item): Fields => ({
  labels: kind === "Pod" ? without(metadata.labels, ...volatileLabels) : metadata.labels,
  annotations: without(metadata.annotations, ...volatileAnnotations),
  finalizers: metadata.finalizers,
  isBeingDeleted: metadata.deletionTimestamp !== undefined,
});

/** Whether the controller has seen the newest spec: how many there were is the controllers' own matter. */
const isCurrent = ({ metadata, status }: Item): Json => {
  const { observedGeneration } = (status ?? {}) as { observedGeneration?: number };
  return observedGeneration === undefined ? undefined : observedGeneration === metadata.generation;
};

/** Pods are compared by what they are, not by their random names: how many there are of each form. */
function podForm(pod: Item): { key: string; form: Json } {
  const [owner] = pod.metadata.ownerReferences ?? [];
  const isStateful = owner?.kind === "StatefulSet";
  const key = `Pod of ${owner ? `${owner.kind}/${owner.name}` : `nobody (${pod.metadata.labels?.["app"] ?? ""})`}`;
  const { phase, reason, conditions, qosClass } = (pod["status"] ?? {}) as Fields & { conditions?: Fields[] };
  const spec = pod["spec"] as { containers: { image: string }[]; tolerations?: Json };
  return {
    key: isStateful ? `${key}: ${pod.metadata.name}` : key,
    form: {
      ...common(pod),
      owners: ownersOf(pod),
      images: spec.containers.map(({ image }) => image),
      tolerations: spec.tolerations,
      phase,
      reason,
      qosClass,
      conditions: (conditions ?? []).map(({ type, status, reason: why }) => [type, status, why].join(" ")).sort(),
    },
  };
}

/** Slices and Endpoints: how many addresses there are, not which. */
function endpointsForm(item: Item): Json {
  if (item.kind === "Endpoints")
    return {
      ...common(item),
      subsets: ((item["subsets"] ?? []) as { addresses?: []; notReadyAddresses?: []; ports?: Json }[]).map(
        (subset) => ({
          addresses: subset.addresses?.length ?? 0,
          notReady: subset.notReadyAddresses?.length ?? 0,
          ports: subset.ports,
        }),
      ),
    };
  const endpoints = (item["endpoints"] ?? []) as { conditions?: Json }[];
  return {
    ...common(item),
    owners: ownersOf(item),
    addressType: item["addressType"],
    ports: item["ports"],
    endpoints: endpoints.map(({ conditions }) => JSON.stringify(conditions)).sort(),
  };
}

const nameOfSlice = ({ metadata }: Item): string => metadata.labels?.["kubernetes.io/service-name"] ?? metadata.name;

function nodeForm(node: Item): Json {
  const { conditions = [] } = (node["status"] ?? {}) as { conditions?: Fields[] };
  return {
    ...common(node),
    spec: withoutTimes(without(node["spec"], "podCIDR", "podCIDRs")),
    conditions: conditions.map(({ type, status }) => `${String(type)} ${String(status)}`).sort(),
  };
}

/** Which of equal volumes a claim gets is chance. */
function volumeForm(volume: Item): Json {
  const { claimRef, persistentVolumeReclaimPolicy } = volume["spec"] as Fields & { claimRef?: { name: string } };
  return {
    ...common(volume),
    claim: claimRef?.name,
    persistentVolumeReclaimPolicy,
    status: withoutTimes(volume["status"]),
  };
}

/** Everything else: all of it but identity, times, and what the server allocated. */
function plainForm(item: Item): Json {
  const spec = without(item["spec"], "clusterIP", "clusterIPs", "volumeName", "healthCheckNodePort");
  const rest = without(item, "apiVersion", "kind", "metadata", "spec", "status");
  return {
    ...common(item),
    owners: ownersOf(item),
    isCurrent: isCurrent(item),
    spec: Object.keys(spec).length > 0 ? spec : undefined,
    status: withoutTimes(sortedConditions(item["status"])),
    rest: withoutTimes(
      item.kind === "ConfigMap" && item.metadata.name === "kube-root-ca.crt" ? Object.keys(rest) : rest,
    ),
  };
}

/** What the API server makes of its own address and certificates, and accounts that a manager makes when it needs them. */
const isOfServer = ({ kind, metadata: { namespace, name } }: Item): boolean =>
  (namespace === "default" && name.startsWith("kubernetes")) ||
  (namespace === "kube-system" &&
    (name === "extension-apiserver-authentication" || (kind === "ServiceAccount" && name !== "default")));

/** The labels of Jobs and their pods name the Job's uid. */
const withoutUids = (text: string, uids: readonly string[]): string =>
  uids.reduce((result, uid) => result.replaceAll(uid, "<uid>"), text);

/** Pure: what the end of a run looks like, by object or by group of equal ones. */
export function snapshotOf(items: readonly Item[]): Snapshot {
  const uids = items.filter(({ kind }) => kind === "Job").map(({ metadata }) => metadata.uid);
  const groups = new Map<string, Json[]>();
  const add = (key: string, form: Json): void => {
    const there = groups.get(key);
    if (there) there.push(form);
    else groups.set(key, [form]);
  };
  for (const item of items) {
    const { name, namespace = "" } = item.metadata;
    if (isOfServer(item)) continue;
    switch (item.kind) {
      case "Event":
        break;
      case "Pod": {
        const { key, form } = podForm(item);
        add(key, form);
        break;
      }
      case "Endpoints":
      case "EndpointSlice":
        add(`${item.kind} ${namespace}/${nameOfSlice(item)}`, endpointsForm(item));
        break;
      case "PersistentVolume":
        add("PersistentVolumes", volumeForm(item));
        break;
      case "Node":
        add(`Node ${name}`, nodeForm(item));
        break;
      default:
        add(`${item.kind} ${namespace}/${name}`, plainForm(item));
    }
  }
  const texts = new Map<string, string>();
  for (const [key, forms] of groups)
    texts.set(
      key,
      withoutUids(
        forms
          .map((form) => JSON.stringify(form))
          .sort()
          .join("\n"),
        uids,
      ),
    );
  for (const [key, reasons] of eventReasons(items)) texts.set(key, [...reasons].sort().join(", "));
  return texts;
}

/** Reasons by object; of pods, which have other names in each run, by their reasons alone. */
function eventReasons(items: readonly Item[]): Map<string, Set<string>> {
  const reasons = new Map<string, Set<string>>();
  for (const event of items) {
    if (event.kind !== "Event") continue;
    const {
      kind,
      name,
      namespace = "",
    } = event["involvedObject"] as { kind: string; name: string; namespace?: string };
    const { component = "" } = (event["source"] ?? {}) as { component?: string };
    if (kind === "Node" || component === "default-scheduler" || component.startsWith("kwok")) continue;
    const key =
      kind === "Pod" || kind === "PersistentVolume"
        ? `events of ${kind}s by ${component}`
        : `events of ${kind} ${namespace}/${name}`;
    const known = reasons.get(key) ?? new Set<string>();
    known.add(`${String(event["type"])} ${String(event["reason"])}`);
    reasons.set(key, known);
  }
  return reasons;
}

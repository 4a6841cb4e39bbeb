import { getOwn } from "@coxswain/apimachinery/own";
import type { Graph, GraphEdge, GraphNode } from "../../contract/graph.js";
import type { KubernetesValue, ObjectRef } from "../../contract/messages.js";
import { objectLink } from "../../contract/paths.js";
import { toneOf } from "../../contract/tone.js";

/** An object of the namespace, and where it is found. */
export interface PlacedObject {
  readonly ref: ObjectRef;
  readonly object: KubernetesValue;
}

/** More is no picture. */
const mostNodes = 80;
/** Pods with the same owner that are drawn one by one. */
const mostAlike = 5;

/** What an object names: `resource/name` with a relation. */
interface Relation {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

const keyOf = (resource: string, name: string): string => `${resource}/${name}`;

/** Where the picture goes on from: others belong to many (a node, a policy) and would draw the whole namespace. */
const passed = new Set([
  "deployments",
  "replicasets",
  "statefulsets",
  "daemonsets",
  "jobs",
  "cronjobs",
  "pods",
  "ingresses",
  "services",
]);

/** Pure: what belongs to an object by owner, selector, volume and policy, in its namespace. */
export function topologyOf(self: ObjectRef, objects: readonly PlacedObject[]): Graph {
  const byKey = new Map(objects.map((placed) => [keyOf(placed.ref.resource, placed.ref.name), placed]));
  const relations = relationsOf(objects, byKey);
  const near = new Map<string, Relation[]>();
  for (const relation of relations)
    for (const end of [relation.from, relation.to]) near.set(end, [...(near.get(end) ?? []), relation]);
  const start = keyOf(self.resource, self.name);
  const shown = new Set([start]);
  const alike = new Map<string, number>();
  let left = 0;
  for (let ring = [start]; ring.length > 0; ) {
    const next: string[] = [];
    for (const key of ring) {
      if (key !== start && !passed.has(key.slice(0, key.indexOf("/")))) continue;
      for (const { from, to, label } of near.get(key) ?? []) {
        const other = from === key ? to : from;
        if (shown.has(other)) continue;
        // From a pod back to a service, and from there to the pods of others: only what the object itself leads to.
        if (
          key !== start &&
          label === "selects" &&
          other.startsWith("pods/") &&
          !self.resource.startsWith("services") &&
          self.resource !== "ingresses"
        )
          continue;
        const count = (alike.get(`${key} ${label}`) ?? 0) + 1;
        if (other.startsWith("pods/")) alike.set(`${key} ${label}`, count);
        if (shown.size >= mostNodes || count > mostAlike) {
          if (count > mostAlike) continue;
          left++;
          continue;
        }
        shown.add(other);
        next.push(other);
      }
    }
    ring = next;
  }
  const folded = [...alike].filter(([, count]) => count > mostAlike);
  return {
    nodes: [
      ...[...shown].map((key) => nodeOf(key, byKey.get(key), key === start)),
      ...folded.map(([key, count]) => moreNode(key, count - mostAlike)),
    ],
    edges: [
      ...relations.filter(({ from, to }) => shown.has(from) && shown.has(to)).map(edgeOf),
      ...folded.map(([key]) =>
        edgeOf({ from: key.slice(0, key.lastIndexOf(" ")), to: key, label: key.slice(key.lastIndexOf(" ") + 1) }),
      ),
    ],
    note: left === 0 ? "" : `${left} more objects are not shown.`,
  };
}

function relationsOf(objects: readonly PlacedObject[], byKey: ReadonlyMap<string, PlacedObject>): Relation[] {
  const pods = objects.filter(({ ref }) => ref.resource === "pods");
  const byUid = new Map(objects.map(({ ref, object }) => [object.metadata?.uid, keyOf(ref.resource, ref.name)]));
  const found = new Map<string, Relation>();
  const relate = (from: string, to: string, label: string): void => {
    if (from !== to) found.set(`${from} ${to}`, { from, to, label });
  };
  for (const { ref, object } of objects) {
    const key = keyOf(ref.resource, ref.name);
    for (const owner of object.metadata?.ownerReferences ?? []) {
      const ownerKey = byUid.get(owner.uid);
      if (ownerKey !== undefined) relate(ownerKey, key, "owns");
    }
    const selector = selectorOf(ref.resource, object);
    if (selector)
      for (const pod of pods)
        if (matches(selector.labels, pod.object)) relate(key, keyOf("pods", pod.ref.name), selector.label);
    for (const { resource, name, label } of namedBy(ref.resource, object)) {
      const other = keyOf(resource, name);
      if (label !== "routes to" && label !== "scales") relate(key, other, label);
      else if (byKey.has(other)) relate(key, other, label);
    }
  }
  return [...found.values()];
}

/** Of services, policies and budgets; a policy without labels means all pods. */
function selectorOf(
  resource: string,
  object: KubernetesValue,
): { readonly labels: Readonly<Record<string, string>>; readonly label: string } | undefined {
  const spec = object["spec"] ?? {};
  if (resource === "services" && spec.selector) return { labels: spec.selector, label: "selects" };
  if (resource === "networkpolicies") return { labels: spec.podSelector?.matchLabels ?? {}, label: "guards" };
  if (resource === "poddisruptionbudgets") return { labels: spec.selector?.matchLabels ?? {}, label: "protects" };
  return undefined;
}

const matches = (wanted: Readonly<Record<string, string>>, { metadata }: KubernetesValue): boolean =>
  Object.entries(wanted).every(([name, value]) => getOwn(metadata?.labels, name) === value);

interface Named {
  readonly resource: string;
  readonly name: string;
  readonly label: string;
}

/** What an object names without owning it. */
export function namedBy(resource: string, object: KubernetesValue): Named[] {
  const spec = object["spec"] ?? {};
  const named: { resource: string; name: unknown; label: string }[] = [];
  if (resource === "pods") {
    for (const volume of (spec.volumes ?? []) as Record<string, Record<string, string> | undefined>[]) {
      named.push({ resource: "configmaps", name: volume["configMap"]?.["name"], label: "mounts" });
      named.push({ resource: "secrets", name: volume["secret"]?.["secretName"], label: "mounts" });
      named.push({
        resource: "persistentvolumeclaims",
        name: volume["persistentVolumeClaim"]?.["claimName"],
        label: "mounts",
      });
    }
    named.push({ resource: "serviceaccounts", name: spec.serviceAccountName, label: "runs as" });
    named.push({ resource: "nodes", name: spec.nodeName, label: "runs on" });
  }
  if (resource === "persistentvolumeclaims")
    named.push({ resource: "persistentvolumes", name: spec.volumeName, label: "is on" });
  if (resource === "horizontalpodautoscalers")
    named.push({
      resource: `${String(spec.scaleTargetRef?.kind ?? "").toLowerCase()}s`,
      name: spec.scaleTargetRef?.name,
      label: "scales",
    });
  if (resource === "ingresses")
    for (const rule of spec.rules ?? [])
      for (const path of rule.http?.paths ?? [])
        named.push({ resource: "services", name: path.backend?.service?.name, label: "routes to" });
  return named.filter((one): one is Named => typeof one.name === "string" && one.name !== "");
}

const kinds: Readonly<Record<string, readonly [group: string, kind: string]>> = {
  configmaps: ["", "ConfigMap"],
  secrets: ["", "Secret"],
  serviceaccounts: ["", "ServiceAccount"],
  nodes: ["", "Node"],
  persistentvolumes: ["", "PersistentVolume"],
  persistentvolumeclaims: ["", "PersistentVolumeClaim"],
};

function nodeOf(key: string, placed: PlacedObject | undefined, isSelf: boolean): GraphNode {
  const at = key.indexOf("/");
  const [resource, name] = [key.slice(0, at), key.slice(at + 1)];
  const status = placed ? statusOf(resource, placed.object) : "";
  return {
    id: key,
    kind: placed?.object.kind ?? kinds[resource]?.[1] ?? resource,
    title: name,
    detail: status,
    tone: toneOf(status),
    isSelf,
    hash: placed ? objectLink(placed.ref) : "",
  };
}

const moreNode = (id: string, count: number): GraphNode => ({
  id,
  kind: "Pod",
  title: `and ${count} more`,
  detail: "",
  tone: "none",
  isSelf: false,
  hash: "",
});

const edgeOf = ({ from, to, label }: Relation): GraphEdge => ({ from, to, label, isDashed: label !== "owns" });

function statusOf(resource: string, object: KubernetesValue): string {
  const { spec = {}, status = {} } = object as { spec?: KubernetesValue[string]; status?: KubernetesValue[string] };
  if (typeof spec.replicas === "number") return `${status.readyReplicas ?? 0}/${spec.replicas}`;
  if (resource === "services") return String(spec.type ?? "");
  return String(status.phase ?? "");
}

import type { Client } from "@coxswain/client";
import { preferredResources } from "../discovery/preferred-resources.js";

/** What the API server makes and keeps by itself, and what may be there twice. */
const leftOut = /^(events|leases|apiservices|flowschemas|prioritylevelconfigurations|componentstatuses|ipaddresses)$/;

interface StoredObject {
  readonly kind: string;
  readonly metadata: {
    readonly name?: string;
    readonly generateName?: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

/**
 * Everything that is stored, a line for each object, without what differs from run to run: UIDs become the names of the objects that
 * have them ("nothing": a reference to an object that does not exist), random parts of names "*", and times "now".
 */
export async function stateOf(client: Client, same: readonly (readonly [RegExp, string])[] = []): Promise<string[]> {
  client.server.invalidate();
  const objects: StoredObject[] = [];
  for (const resource of preferredResources(await client.server.surface())) {
    if (!resource.verbs.includes("list") || leftOut.test(resource.resource)) continue;
    for (const object of (await client.dynamic(resource).list()).items)
      objects.push({ ...(object as object as StoredObject), kind: resource.kind });
  }
  const known = objects.filter(({ metadata }) => metadata.labels?.["kubernetes.io/bootstrapping"] === undefined);
  const names = new Map<string, string>();
  const uids = new Map<string, string>();
  for (const {
    kind,
    metadata: { name = "", generateName, namespace = "", uid = "" },
  } of known) {
    if (generateName !== undefined) names.set(name, `${generateName}*`);
    uids.set(uid, `uid of ${kind} ${namespace}/${generateName === undefined ? name : `${generateName}*`}`);
  }
  return known.map((object) => lineOf(object, { names, uids, same })).sort();
}

const uidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const timePattern = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

function lineOf(
  object: StoredObject,
  known: {
    readonly names: ReadonlyMap<string, string>;
    readonly uids: ReadonlyMap<string, string>;
    readonly same: readonly (readonly [RegExp, string])[];
  },
): string {
  const { generation } = object.metadata as { generation?: number };
  const text = JSON.stringify(object, (key, value: unknown) => {
    if (key === "managedFields" || key === "resourceVersion" || key === "selfLink" || key === "generation")
      return undefined;
    // How often a spec was written on the way is no part of where it ends; that the controller has seen the last one is.
    if (key === "observedGeneration" && value === generation) return "seen";
    // Lists by a key: the order in which two writers came is no part of the state.
    if ((key === "conditions" || key === "taints") && Array.isArray(value)) return byText(value);
    if (typeof value !== "string") return value;
    const name = known.names.get(value);
    if (name !== undefined) return name;
    return value.replace(uidPattern, (uid) => known.uids.get(uid) ?? "nothing").replace(timePattern, "now");
  });
  return known.same.reduce((line, [pattern, replacement]) => line.replace(pattern, replacement), text);
}

const byText = (items: readonly unknown[]): unknown[] =>
  items
    .map((item) => [JSON.stringify(item).replace(timePattern, ""), item] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, item]) => item);

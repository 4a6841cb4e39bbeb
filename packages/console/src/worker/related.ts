import type { RestClient } from "@coxswain/client";
import type { KubernetesValue, ObjectRef, OwnerReference, RelatedObject } from "../contract/messages.js";
import { refTo } from "../contract/paths.js";
import type { Catalogue } from "./catalogue.js";
import { namedBy } from "./graph/topology.js";
import { readObject } from "./object-feed.js";
import type { StoredRow } from "./stored-row.js";
import type { TableStores } from "./table-store.js";

/** Kinds that are looked through for what an object owns, and for what belongs to it in other ways. */
const ownedResources = "replicasets.apps jobs.batch pods endpointslices.discovery.k8s.io persistentvolumeclaims";

const maxRelated = 200;

export interface RelatedOptions {
  readonly rest: RestClient;
  readonly catalogue: Catalogue;
  readonly stores: TableStores;
  /** Resolves once a store has its first rows. */
  ready(store: ReturnType<TableStores["use"]>["store"]): Promise<void>;
}

/** The owners of an object up to the first, then what it owns, as a tree in lines. */
export async function readRelated(options: RelatedOptions, ref: ObjectRef): Promise<RelatedObject[]> {
  const self = await readObject(options.rest, ref, "");
  const owners = await ownersOf(options, self, ref.namespace);
  const depth = owners.length;
  const lines: RelatedObject[] = owners.map((owner, at) => ({ ...owner, depth: at }));
  lines.push({ ref, kind: self.kind ?? "", relation: "", depth, isSelf: true, status: "" });
  const rows = await ownedRows(options, ref.namespace);
  addOwned(lines, rows, { uid: self.metadata?.uid ?? "", depth: depth + 1 });
  for (const other of references(self, options.catalogue, ref.namespace)) lines.push({ ...other, depth: depth + 1 });
  return lines.slice(0, maxRelated);
}

async function ownersOf(
  { rest, catalogue }: RelatedOptions,
  start: KubernetesValue,
  namespace: string,
): Promise<RelatedObject[]> {
  const found: RelatedObject[] = [];
  let object = start;
  while (found.length < 8) {
    const owner = controllerOf(object.metadata?.ownerReferences ?? []);
    const info = owner && catalogue.ofKind(owner.apiVersion, owner.kind);
    if (!owner || !info) break;
    const ref = refTo(info, { namespace: info.namespaced ? namespace : "", name: owner.name });
    found.unshift({ ref, kind: owner.kind, relation: "owner", depth: 0, isSelf: false, status: "" });
    try {
      object = await readObject(rest, ref, "");
    } catch {
      break; // gone, or not to be seen: the tree begins here
    }
  }
  return found;
}

const controllerOf = (owners: readonly OwnerReference[]): OwnerReference | undefined =>
  owners.find(({ controller }) => controller) ?? owners[0];

interface OwnedRow {
  readonly row: StoredRow;
  readonly ref: ObjectRef;
  readonly kind: string;
  readonly status: string;
}

async function ownedRows({ catalogue, stores, ready }: RelatedOptions, namespace: string): Promise<OwnedRow[]> {
  const found = await Promise.all(
    catalogue.named(ownedResources).map(async (info) => {
      const { store, release } = stores.use({ ...info, namespace }, "");
      await ready(store);
      const statusAt = store.columns.findIndex(({ name }) => name === "Status" || name === "Ready");
      const rows = [...store.rows()].map((row) => ({
        row,
        ref: refTo(info, row),
        kind: info.kind,
        status: row.cells[statusAt] ?? "",
      }));
      release();
      return rows;
    }),
  );
  return found.flat();
}

function addOwned(
  lines: RelatedObject[],
  rows: readonly OwnedRow[],
  { uid, depth }: { uid: string; depth: number },
): void {
  if (depth > 8 || uid === "") return;
  for (const { row, ref, kind, status } of rows) {
    if (lines.length >= maxRelated) return;
    if (!row.owners.some((owner) => owner.uid === uid)) continue;
    lines.push({ ref, kind, relation: "owns", depth, isSelf: false, status });
    addOwned(lines, rows, { uid: row.uid, depth: depth + 1 });
  }
}

/** Pure: what an object names without owning it: volumes, accounts, the node, the target of an autoscaler. */
export function references(
  object: KubernetesValue,
  catalogue: Pick<Catalogue, "find">,
  namespace: string,
): Omit<RelatedObject, "depth">[] {
  const spec = object.kind === "Pod" ? object["spec"] : object["spec"]?.template?.spec;
  const named = new Map(namedBy("pods", { spec }).map((one) => [`${one.resource}/${one.name}`, one]));
  return [...named.values()].flatMap(({ resource, name, label: relation }) => {
    const info = catalogue.find("", resource);
    if (!info) return [];
    const ref = refTo(info, { namespace: info.namespaced ? namespace : "", name });
    return [{ ref, kind: info.kind, relation, isSelf: false, status: "" }];
  });
}

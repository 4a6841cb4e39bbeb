import { append } from "@coxswain/apimachinery/append";
import type { RestClient } from "@coxswain/client";
import type { Calls, DifferenceLine, KubernetesValue, MomentDifference, ResourceInfo } from "../contract/messages.js";
import { pathOf, refTo } from "../contract/paths.js";
import type { Catalogue } from "./catalogue.js";
import { listObjects } from "./list-objects.js";

/** Lists at once. */
const parallel = 8;
/** Objects that differ; more are counted. */
const mostLines = 500;

const accept =
  "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io;drop=metadata.managedFields,application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

/** Written all the time, and of no interest afterwards. */
const passedOver = new Set(["events", "leases"]);

/** What is new, gone or changed between two revisions (""; now), by the metadata of all objects. */
export async function compareMoments(
  rest: RestClient,
  catalogue: Catalogue,
  { namespace, from, to }: Calls["compareMoments"]["params"],
): Promise<MomentDifference> {
  const compared = catalogue.resources.filter(
    ({ verbs, resource, group, namespaced }) =>
      verbs.includes("list") &&
      verbs.includes("watch") &&
      !passedOver.has(resource) &&
      !/^(metrics\.k8s\.io|history\.coxswain\.dev)$/.test(group) &&
      (namespaced || namespace === ""),
  );
  const lines: DifferenceLine[] = [];
  const unread: string[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let info = compared[next++]; info; info = compared[next++]) {
      try {
        const [before, after] = await Promise.all([
          readAt(rest, info, namespace, from),
          readAt(rest, info, namespace, to),
        ]);
        append(lines, differenceOf(info, before, after));
      } catch {
        unread.push(info.resource); // not to be read, or not kept so long
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  const order = { gone: 0, new: 1, changed: 2, status: 3 } as const;
  lines.sort((a, b) => order[a.what] - order[b.what] || (a.ref.resource < b.ref.resource ? -1 : 1));
  return { lines: lines.slice(0, mostLines), total: lines.length, unread: unread.sort() };
}

async function readAt(
  rest: RestClient,
  info: ResourceInfo,
  namespace: string,
  at: string,
): Promise<readonly KubernetesValue[]> {
  const then = Object.entries({ resourceVersion: at, resourceVersionMatch: "Exact" });
  const path = pathOf({ ...info, namespace: info.namespaced ? namespace : "" });
  return listObjects(rest, path, at === "" ? [] : then, accept);
}

/** Pure. A generation that stayed means that only the status changed; kinds without one count as changed. */
export function differenceOf(
  info: Pick<ResourceInfo, "group" | "version" | "resource" | "kind">,
  before: readonly KubernetesValue[],
  after: readonly KubernetesValue[],
): DifferenceLine[] {
  const left = new Map(before.map((object) => [object.metadata?.uid ?? "", object]));
  const lineOf = ({ metadata = {} }: KubernetesValue, what: DifferenceLine["what"]): DifferenceLine => ({
    ref: refTo(info, metadata),
    kind: info.kind,
    what,
  });
  const found = after.flatMap((object): DifferenceLine[] => {
    const uid = object.metadata?.uid ?? "";
    const old = left.get(uid);
    left.delete(uid);
    if (!old) return [lineOf(object, "new")];
    if (old.metadata?.resourceVersion === object.metadata?.resourceVersion) return [];
    const generations = [old, object].map(({ metadata }) => (metadata as { generation?: number }).generation);
    return [lineOf(object, generations[0] !== undefined && generations[0] === generations[1] ? "status" : "changed")];
  });
  return [...found, ...[...left.values()].map((object) => lineOf(object, "gone"))];
}

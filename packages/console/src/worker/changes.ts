import type { RestClient } from "@coxswain/client";
import type { KubernetesValue, ObjectRef, TimelineEntry } from "../contract/messages.js";
import { nameOf, refTo } from "../contract/paths.js";
import type { Catalogue } from "./catalogue.js";
import type { CausedChange } from "./graph/cause-graph.js";
import { listObjects } from "./list-objects.js";

const root = "/apis/history.coxswain.dev/v1alpha1";

export interface ChangeQuery {
  readonly namespace: string;
  readonly fieldSelector: string;
  readonly limit: number;
}

/** Changes from the server's history, newest first. */
export async function readChanges(
  rest: RestClient,
  catalogue: Catalogue,
  query: ChangeQuery,
): Promise<TimelineEntry[]> {
  return (await listChanges(rest, query)).map((change) => changeEntry(change, catalogue));
}

/** The same with what caused each of them. */
export async function readCausedChanges(
  rest: RestClient,
  catalogue: Catalogue,
  query: ChangeQuery,
): Promise<CausedChange[]> {
  return (await listChanges(rest, query)).map((value) => {
    const { revision = 0, object = {}, reason = "", causes = [] } = value as Change;
    return {
      entry: changeEntry(value, catalogue),
      revision,
      uid: object.uid ?? "",
      reason,
      causes: causes.map((cause) => ({ ...noCause, ...cause })),
    };
  });
}

const noCause = { revisions: [], component: "", queue: "", item: "", certainty: "" };

async function listChanges(
  rest: RestClient,
  { namespace, fieldSelector, limit }: ChangeQuery,
): Promise<readonly KubernetesValue[]> {
  const query: [string, string][] = [["limit", String(limit)]];
  if (fieldSelector !== "") query.push(["fieldSelector", fieldSelector]);
  const path = namespace === "" ? `${root}/changes` : `${root}/namespaces/${encodeURIComponent(namespace)}/changes`;
  return listObjects(rest, path, query);
}

export const changesOf = (rest: RestClient, catalogue: Catalogue, ref: ObjectRef): Promise<TimelineEntry[]> =>
  readChanges(rest, catalogue, {
    namespace: ref.namespace,
    fieldSelector: `object.resource=${nameOf(ref)},object.name=${ref.name}`,
    limit: 100,
  });

interface Change {
  readonly causes?: readonly {
    revision?: number;
    revisions?: readonly number[];
    component?: string;
    queue?: string;
    item?: string;
    certainty?: string;
  }[];
  readonly reason?: string;
  readonly object?: {
    apiVersion?: string;
    kind?: string;
    resource?: string;
    namespace?: string;
    name?: string;
    uid?: string;
  };
  readonly revision?: number;
  readonly type?: string;
  readonly subresource?: string;
  readonly user?: string;
  readonly manager?: string;
  readonly paths?: readonly { path: string; before?: unknown; after?: unknown }[];
}

export function changeEntry(value: KubernetesValue, catalogue: Pick<Catalogue, "ofKind">): TimelineEntry {
  const {
    object = {},
    revision = 0,
    type = "",
    subresource = "",
    user = "",
    manager = "",
    paths = [],
  } = value as Change;
  const info = catalogue.ofKind(object.apiVersion ?? "", object.kind ?? "");
  return {
    at: Date.parse(value.metadata?.creationTimestamp ?? "") || 0,
    source: "change",
    kind: object.kind ?? "",
    ref: info && refTo(info, object),
    name: object.namespace ? `${object.namespace}/${object.name ?? ""}` : (object.name ?? ""),
    who: whoOf(user, manager),
    what: type === "Updated" ? whatChanged(subresource, paths) : type,
    tone: type === "Deleted" || type === "DeletionRequested" ? "warn" : "none",
    revision: String(revision),
  };
}

/** The name of a service account is the component's; its manager is the program that all of them share. */
function whoOf(user: string, manager: string): string {
  const [, account] = /^system:serviceaccount:kube-system:(.+)$/.exec(user) ?? [];
  if (account !== undefined) return account;
  return manager === "" || manager === user ? user : `${user} (${manager})`;
}

/** Written by components on their own account: shown only where nothing else changed. */
const bookkeeping =
  /^(metadata\.(managedFields|resourceVersion|generation)|status\.(observedGeneration|conditions\[\w+\]\.lastHeartbeatTime))/;

function whatChanged(subresource: string, paths: NonNullable<Change["paths"]>): string {
  const main = paths.filter(({ path }) => !bookkeeping.test(path));
  const shown = (main.length > 0 ? main : paths).slice(0, 3).map(({ path, before, after }) => {
    if (typeof before === "object" || typeof after === "object") return path;
    return `${path}: ${short(before)} → ${short(after)}`;
  });
  const more = main.length > 3 ? ` and ${main.length - 3} more` : "";
  return `${subresource === "" ? "" : `${subresource}: `}${shown.join(", ")}${more}`;
}

const short = (value: unknown): string => {
  const text = value === undefined ? "∅" : String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
};

/** The revision of a moment: a time (RFC 3339) asked of the history. */
export async function readMoment(rest: RestClient, time: string): Promise<{ revision: string }> {
  const value = { apiVersion: "history.coxswain.dev/v1alpha1", kind: "Moment", spec: { time } };
  const review = await rest.send({ method: "POST", path: `${root}/moments`, body: { as: "value", value } });
  const { revision = 0 } = (review as { status?: { revision?: number } }).status ?? {};
  if (revision === 0) throw new Error("The history does not go back so far.");
  return { revision: String(revision) };
}

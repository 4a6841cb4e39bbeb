import type { KubernetesObject, OwnerReference } from "@coxswain/apimachinery/meta";
import { groupVersionKindOf } from "@coxswain/apimachinery/meta";
import { changeText, pathText, shortUser } from "@coxswain/apimachinery/object";
import type { ObjectName, PastChange } from "./past-reader.js";

// Pure: what a change means.

export const valueOf = ({ before, after }: PastChange): KubernetesObject | undefined => after ?? before;

export const ownersOf = (change: PastChange): readonly OwnerReference[] =>
  valueOf(change)?.metadata?.ownerReferences ?? [];

export const controllerOf = (change: PastChange): OwnerReference | undefined =>
  ownersOf(change).find(({ controller }) => controller === true);

/** Where an owner is: in the namespace of what it owns, or cluster-wide. */
export const ownerName = ({ apiVersion, kind, name }: OwnerReference, namespace: string): ObjectName => ({
  group: groupVersionKindOf({ apiVersion, kind })?.group ?? "",
  kind,
  namespace,
  name,
});

export const nameOf = ({ object }: PastChange): ObjectName => ({
  group: groupVersionKindOf({ apiVersion: object.apiVersion, kind: object.kind })?.group ?? "",
  kind: object.kind,
  namespace: object.namespace ?? "",
  name: object.name,
});

export const isComponent = (user: string | undefined): boolean => user?.startsWith("system:") ?? false;
export const isNode = (user: string | undefined): boolean => user?.startsWith("system:node:") ?? false;
/** The service account of a controller. */
export const isController = ({ user }: PastChange, name: string): boolean =>
  user === `system:serviceaccount:kube-system:${name}`;

export const isDeletion = ({ type }: PastChange): boolean => type === "Deleted" || type === "DeletionRequested";

export const touches = ({ paths }: PastChange, path: RegExp): boolean => paths.some((each) => path.test(each.path));

/** Somebody wants something else than before: not what is observed, nor what a controller notes for itself. */
export const isIntent = (change: PastChange): boolean =>
  change.type === "Created" || change.type === "DeletionRequested" || touches(change, /^(spec|data)\b/);

/** A pod that ended badly and is not started again. */
export const isFailure = (change: PastChange): boolean =>
  change.paths.some(({ path, after }) => path === "status.phase" && after === "Failed");

/** A node became, or was found to be, not ready. */
export const isNodeFault = (change: PastChange): boolean =>
  change.object.kind === "Node" &&
  change.paths.some(({ path, after }) => path === "status.conditions[Ready].status" && after !== "True");

/** A change in words; without "because" and without its time. */
export function describeChange(change: PastChange): string {
  const { object, user, manager, subresource } = change;
  const who = user === undefined ? "somebody" : shortUser(user);
  const via = manager && !isComponent(user) ? ` with ${manager}` : "";
  const what = `${object.kind} ${object.name}`;
  if (change.type === "Created") return `${what} was created by ${who}${via}`;
  if (isDeletion(change)) return `${what} was ${subresource === "eviction" ? "evicted" : "deleted"} by ${who}${via}`;
  if (isNodeFault(change)) return `${what} has not been ready: ${readyMessage(change)}`;
  if (isFailure(change)) return `${what} failed${failureMessage(change)}`;
  const replicas = change.paths.find(({ path }) => path === "spec.replicas");
  if (replicas && Number.isInteger(replicas.before) && Number.isInteger(replicas.after))
    return `${who} scaled ${what} from ${replicas.before} to ${replicas.after}${via}`;
  const taints = addedTaints(change);
  if (taints.length > 0) return `${who} tainted ${what} with ${taints.join(", ")}${via}`;
  const intent = change.paths.filter(({ path }) => /^(spec|data)\b/.test(path));
  const [first] = intent;
  const text = first
    ? pathText(first) + (intent.length > 1 ? ` and ${intent.length - 1} more` : "")
    : changeText(change);
  return `${who} changed ${what}${via}: ${text}`;
}

interface NodeObject {
  readonly spec?: {
    readonly taints?: readonly { readonly key: string; readonly effect: string }[];
    readonly unschedulable?: boolean;
  };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly message?: string }[] };
}

const readyMessage = (change: PastChange): string =>
  (change.after as NodeObject | undefined)?.status?.conditions?.find(({ type }) => type === "Ready")?.message ??
  "it does not report";

export function addedTaints({ object, before, after }: PastChange): string[] {
  if (object.kind !== "Node") return [];
  const of = (node: unknown): string[] =>
    ((node as NodeObject | undefined)?.spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`);
  const old = new Set(of(before));
  return of(after).filter((taint) => !old.has(taint));
}

interface PodObject {
  readonly spec?: { readonly nodeName?: string };
  readonly status?: { readonly reason?: string; readonly message?: string };
}

export const nodeOf = (change: PastChange): string => (valueOf(change) as PodObject | undefined)?.spec?.nodeName ?? "";

function failureMessage({ after }: PastChange): string {
  const { reason = "", message = "" } = (after as PodObject | undefined)?.status ?? {};
  const text = [reason, message].filter((part) => part !== "").join(": ");
  return text === "" ? "" : `: ${text}`;
}

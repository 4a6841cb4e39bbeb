import type { ObjectMeta } from "@coxswain/apimachinery/meta";
import { formatTime } from "@coxswain/apimachinery/time";
import type { RecordedWork, WaitingWork, WorkCause } from "@coxswain/client/work";
import { historyGroup, historyVersion } from "./history-group.js";

/** `kind: Reconcile`: an item of a controller's work queue. */
export interface Reconcile {
  readonly apiVersion: string;
  readonly kind: "Reconcile";
  readonly metadata: ObjectMeta;
  readonly component: string;
  readonly queue: string;
  readonly item: string;
  readonly state: "Waiting" | "Running" | "Done";
  /** Since when it waits, or when a worker took it. */
  readonly since: string;
  readonly ms?: number;
  /** How often the work on it failed before. */
  readonly retries: number;
  readonly wokenBy: readonly {
    readonly revision: number;
    readonly kind?: string;
    readonly namespace?: string;
    readonly name: string;
  }[];
}

/** Pure: what a worker has or had. */
export function reconcileObject(work: RecordedWork): Reconcile {
  const { id, ended, began } = work;
  return {
    ...objectOf(work, { name: `w${id}`, version: id, since: began }),
    state: ended === undefined ? "Running" : "Done",
    ...(ended !== undefined && { ms: ended - began }),
  };
}

/** Pure: what waits for a worker. `at`: its place among those that wait. */
export const waitingObject = (work: WaitingWork, { at, version }: { at: number; version: number }): Reconcile => ({
  ...objectOf(work, { name: `q${at}`, version, since: work.since }),
  state: "Waiting",
});

function objectOf(
  { writer, queue, item, retries, causes }: Pick<RecordedWork, "writer" | "queue" | "item" | "retries" | "causes">,
  { name, version, since }: { name: string; version: number; since: number },
): Omit<Reconcile, "state"> {
  return {
    apiVersion: `${historyGroup}/${historyVersion}`,
    kind: "Reconcile",
    metadata: { name, uid: name, resourceVersion: String(version), creationTimestamp: formatTime(since) },
    component: writer,
    queue,
    item,
    since: formatTime(since),
    retries,
    wokenBy: causes.map(wakerOf),
  };
}

const wakerOf = ({ resourceVersion, kind, namespace, name }: WorkCause) => ({
  revision: resourceVersion,
  ...(kind !== "" && { kind }),
  ...(namespace !== "" && { namespace }),
  name,
});

import type { RestClient } from "@coxswain/client";
import { podLogLines } from "@coxswain/client/pods";
import type { Runtime } from "@coxswain/runtime";
import type { LogLine, LogQuery, LogState, Problem } from "../contract/messages.js";
import type { Feed } from "./feed.js";
import { LogRing } from "./log-ring.js";
import { problemOf } from "./problem.js";
import type { StoredRow } from "./stored-row.js";
import type { TableStores } from "./table-store.js";

/** Logs that are read at once; a workload with more pods shows its first ones. */
const maxPods = 50;
const quietMs = 100;

/** The log of a pod, or of all pods of a workload, those of later rollouts too. */
export function logFeed(
  runtime: Runtime,
  { rest, stores }: { readonly rest: RestClient; readonly stores: TableStores },
  first: LogQuery,
  push: (state: LogState) => void,
): Feed<LogQuery> {
  let query = first;
  let ring = new LogRing();
  let problem: Problem | undefined;
  const reading = new Map<string, Reading>();
  const pods = stores.use({ group: "", version: "v1", resource: "pods", namespace: query.namespace }, "");
  const sets = stores.use({ group: "apps", version: "v1", resource: "replicasets", namespace: query.namespace }, "");
  let timer: { cancel(): void } | undefined;

  const show = (): void => {
    timer = undefined;
    push({ ...ring.window(query), pods: [...reading.keys()], problem: problem ?? pods.store.problem });
  };
  const showSoon = (): void => void (timer ??= runtime.clock.setTimer(quietMs, show));
  const read = async (pod: StoredRow, { ending: { signal }, color }: Reading, into: LogRing): Promise<void> => {
    const { container, previous } = query;
    const notYet = { of: stateOf, was: stateOf(pod) };
    let whenOver: Reading["over"] = notYet;
    const whenRestarted = { of: restartsOf, was: restartsOf(pod) };
    try {
      const options = { namespace: pod.namespace, pod: pod.name, timestamps: true, tailLines: 2000, signal };
      const which = { ...(container !== "" && { container }), ...(previous ? { previous } : { follow: true }) };
      for await (const text of podLogLines({ rest }, { ...options, ...which })) {
        into.add(lineOf(text, pod.name, container, color));
        problem = undefined;
        whenOver = whenRestarted;
        showSoon();
      }
    } catch (error) {
      if (!signal.aborted) problem = problemOf(error);
      whenOver = notYet;
    }
    const known = reading.get(pod.name);
    if (signal.aborted || !known) return;
    reading.set(pod.name, { ...known, over: whenOver });
    follow(); // what has changed since it began
  };
  /** A container that ended has a new log when it is started again. */
  const restartsOf = ({ cells }: StoredRow): string =>
    cells[pods.store.columns.findIndex(({ name }) => name === "Restarts")]?.split(" ")[0] ?? "";
  const follow = (): void => {
    for (const pod of podsOf(pods.store.rows(), sets.store.rows(), query).slice(0, maxPods)) {
      const known = reading.get(pod.name);
      if (known && known.over?.of(pod) === known.over?.was) continue;
      const next = { ending: new AbortController(), color: known?.color ?? reading.size % 8, over: undefined };
      reading.set(pod.name, next);
      void read(pod, next, ring);
    }
    showSoon();
  };
  const restart = (): void => {
    for (const { ending } of reading.values()) ending.abort();
    reading.clear();
    ring = new LogRing();
    problem = undefined;
    follow();
  };
  const unlisten = [pods.store.listen(follow), sets.store.listen(follow)];
  follow();
  return {
    update(next) {
      const isOther = next.container !== query.container || next.previous !== query.previous;
      query = next;
      if (isOther) restart();
      else show();
    },
    close() {
      timer?.cancel();
      for (const stop of unlisten) stop();
      for (const { ending } of reading.values()) ending.abort();
      pods.release();
      sets.release();
    },
  };
}

interface Reading {
  readonly ending: AbortController;
  readonly color: number;
  /** Nothing comes any more, until this of the pod is another. */
  readonly over: { readonly of: (pod: StoredRow) => string; readonly was: string } | undefined;
}

/** A container that has not started has no log yet: an error, or nothing for a pod without a node. */
const stateOf = ({ cells }: StoredRow): string => cells.join(" ");
/** Pure: the pods whose logs belong to an object: itself, or those it owns directly or by a ReplicaSet. */
export function podsOf(
  pods: Iterable<StoredRow>,
  sets: Iterable<StoredRow>,
  { owner }: Pick<LogQuery, "owner">,
): StoredRow[] {
  const isOwner = (kind: string, name: string): boolean =>
    name === owner.name && `${kind.toLowerCase()}s` === owner.resource;
  const owned = new Set(
    [...sets].filter(({ owners }) => owners.some(({ kind, name }) => isOwner(kind, name))).map(({ uid }) => uid),
  );
  return [...pods].filter(
    (pod) =>
      (owner.resource === "pods" && pod.name === owner.name) ||
      pod.owners.some(({ kind, name, uid }) => isOwner(kind, name) || owned.has(uid)),
  );
}

/** A line with its time stamp in front, as `timestamps=true` gives it. */
export function lineOf(text: string, pod: string, container: string, color: number): LogLine {
  const at = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d) /.exec(text)?.[0] ?? "";
  return { pod, container, at: at.trimEnd(), text: text.slice(at.length), color };
}

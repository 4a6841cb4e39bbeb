import type { Graph, GraphEdge, GraphNode } from "../../contract/graph.js";
import type { TimelineEntry } from "../../contract/messages.js";
import { objectLink } from "../../contract/paths.js";

/** A change with what caused it, as the history has it. */
export interface CausedChange {
  readonly entry: TimelineEntry;
  readonly revision: number;
  readonly uid: string;
  readonly reason: string;
  readonly causes: readonly {
    readonly revisions: readonly number[];
    readonly component: string;
    readonly queue: string;
    readonly item: string;
    readonly certainty: string;
  }[];
}

/** More is no picture. */
const mostNodes = 60;
/** Of changes of one kind with the same cause; the rest is one node. */
const mostAlike = 4;

/** Pure: what led to a change, and what it led to, as far as `changes` go. */
export function causeGraph(changes: readonly CausedChange[], focus: number): Graph {
  const picked = new Picked(changes);
  const start = changes.filter(({ revision }) => revision === focus);
  for (const change of start) picked.add(change);
  for (let ring = start; ring.length > 0; ) ring = ring.flatMap((change) => picked.causes(change));
  for (let ring = start; ring.length > 0; ) ring = ring.flatMap((change) => picked.effects(change));
  const shown = [...picked.shown.values()];
  const groups = [...picked.groups];
  return {
    nodes: [...shown.map((change) => nodeOf(change, focus)), ...groups.map(groupNode)],
    edges: [...shown.flatMap((change) => edgesOf(change, shown)), ...groups.map(groupEdge)],
    note: picked.left === 0 ? "" : `${picked.left} more changes are not shown.`,
  };
}

interface Group {
  readonly first: CausedChange;
  readonly parent: string;
  count: number;
}

/** What is shown so far. */
class Picked {
  readonly shown = new Map<string, CausedChange>();
  readonly groups = new Map<string, Group>();
  left = 0;
  readonly #byRevision = new Map<number, CausedChange[]>();
  readonly #byCause = new Map<number, CausedChange[]>();

  constructor(changes: readonly CausedChange[]) {
    const note = (into: Map<number, CausedChange[]>, revision: number, change: CausedChange): void => {
      const list = into.get(revision);
      if (list) list.push(change);
      else into.set(revision, [change]);
    };
    for (const change of changes) {
      note(this.#byRevision, change.revision, change);
      for (const cause of causesOf(change)) note(this.#byCause, cause, change);
    }
  }

  add(change: CausedChange): boolean {
    if (this.shown.size + this.groups.size >= mostNodes) {
      this.left++;
      return false;
    }
    this.shown.set(idOf(change), change);
    return true;
  }

  causes(change: CausedChange): CausedChange[] {
    return causesOf(change)
      .flatMap((revision) => this.#byRevision.get(revision) ?? [])
      .filter((cause) => !this.shown.has(idOf(cause)) && this.add(cause));
  }

  /** The first few of each sort one by one, the others as a number. */
  effects(change: CausedChange): CausedChange[] {
    const alike = new Map<string, number>();
    return (this.#byCause.get(change.revision) ?? []).filter((effect) => {
      if (this.shown.has(idOf(effect))) return false;
      const sort = `${effect.entry.kind} ${typeOf(effect)}`;
      const count = (alike.get(sort) ?? 0) + 1;
      alike.set(sort, count);
      if (count <= mostAlike) return this.add(effect);
      const id = `${idOf(change)} > ${sort}`;
      const group = this.groups.get(id);
      if (group) group.count++;
      else this.groups.set(id, { first: effect, parent: idOf(change), count: 1 });
      return false;
    });
  }
}

const idOf = ({ revision, entry }: CausedChange): string => `r${revision} ${entry.kind}/${entry.name}`;
const causesOf = ({ causes }: CausedChange): number[] => causes.flatMap(({ revisions }) => [...revisions]);
const typeOf = ({ entry }: CausedChange): string =>
  /^(Created|Deleted|DeletionRequested|status)/.exec(entry.what)?.[0] ?? "Updated";

const nodeOf = (change: CausedChange, focus: number): GraphNode => ({
  id: idOf(change),
  kind: `${change.entry.kind} · r${change.revision}`,
  title: change.entry.name.slice(change.entry.name.indexOf("/") + 1),
  detail: change.causes.length === 0 ? `${change.entry.who}: ${change.entry.what}` : change.entry.what,
  tone: change.entry.tone,
  isSelf: change.revision === focus,
  hash: change.entry.ref ? objectLink(change.entry.ref) : "",
});

function edgesOf(change: CausedChange, shown: readonly CausedChange[]): GraphEdge[] {
  const id = idOf(change);
  return change.causes.flatMap(({ revisions, component, queue, item, certainty }) =>
    shown
      .filter(({ revision }) => revisions.includes(revision))
      .map((cause) => ({
        from: idOf(cause),
        to: id,
        label: `${component}: ${queue} ${item}`,
        isDashed: certainty !== "exact",
      })),
  );
}

type GroupEntry = readonly [id: string, group: Group];

const groupNode = ([id, { first, count }]: GroupEntry): GraphNode => ({
  id,
  kind: first.entry.kind,
  title: `and ${count} more`,
  detail: typeOf(first),
  tone: "none",
  isSelf: false,
  hash: "",
});

const groupEdge = ([id, { first, parent }]: GroupEntry): GraphEdge => ({
  from: parent,
  to: id,
  label: first.causes[0]?.component ?? "",
  isDashed: false,
});

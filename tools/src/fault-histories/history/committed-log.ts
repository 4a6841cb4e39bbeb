import type { Content, SeenObject } from "./operation.js";

/** A change that etcd committed. Revisions of other keys lie between those of ours. */
export interface Commit {
  readonly revision: number;
  readonly key: string;
  /** Undefined: deleted. */
  readonly value: { readonly uid: string; readonly content: Content } | undefined;
}

/** A commit with what stood there before it. */
export interface Change extends Commit {
  readonly previous: SeenObject | undefined;
}

/** What happened, in its order: everything that clients saw is compared with it. */
export class CommittedLog {
  readonly changes: readonly Change[];
  readonly #byKey = new Map<string, Change[]>();

  /** @param commits in the order of their revisions, of which each has one */
  constructor(commits: readonly Commit[]) {
    this.changes = commits.map((commit) => {
      const ofKey = this.#byKey.get(commit.key) ?? [];
      this.#byKey.set(commit.key, ofKey);
      const change = { ...commit, previous: objectAfter(ofKey.at(-1)) };
      ofKey.push(change);
      return change;
    });
  }

  ofKey = (key: string): readonly Change[] => this.#byKey.get(key) ?? [];

  find = (revision: number): Change | undefined => this.changes[indexAfter(this.changes, revision - 1)];

  /** The changes after one revision. */
  after = (revision: number): readonly Change[] => this.changes.slice(indexAfter(this.changes, revision));

  objectAt(key: string, revision: number): SeenObject | undefined {
    const changes = this.ofKey(key);
    return objectAfter(changes[indexAfter(changes, revision) - 1]);
  }

  /** All objects as of a revision, by their key. */
  stateAt(revision: number): Map<string, SeenObject> {
    const state = new Map<string, SeenObject>();
    for (const key of this.#byKey.keys()) {
      const object = this.objectAt(key, revision);
      if (object) state.set(key, object);
    }
    return state;
  }

  /** The first revision, from `floor` on, at which the key is as wanted. */
  firstAt(key: string, floor: number, isWanted: (object: SeenObject | undefined) => boolean): number | undefined {
    if (isWanted(this.objectAt(key, floor))) return floor;
    return this.ofKey(key).find((change) => change.revision > floor && isWanted(objectAfter(change)))?.revision;
  }
}

export function objectAfter(change: Commit | undefined): SeenObject | undefined {
  return change?.value && { key: change.key, revision: change.revision, ...change.value };
}

/** Of the first change with a later revision. */
function indexAfter(changes: readonly Commit[], revision: number): number {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (changes[middle]!.revision > revision) high = middle;
    else low = middle + 1;
  }
  return low;
}

import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import type { Scheduler } from "@coxswain/runtime/scheduler";
import type { Chronicle, ChronicleChange } from "@coxswain/storage/chronicle";
import { objectKey } from "../../../cache/object-key.js";
import type { KeyOwner, KeyOwners } from "../../contract/key-owners.js";
import type { Change } from "../change.js";
import { changeObject } from "../change-object.js";
import { microsPerChange, previousOf, withOlder } from "../read-changes.js";

/** A change with the objects before and after it, as far as they are kept. */
export interface PastChange extends Change {
  readonly before?: KubernetesObject;
  readonly after?: KubernetesObject;
}

/** An object by its kind. */
export interface ObjectName {
  readonly group: string;
  /** Of the kind, or of the resource. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** What the one who asks may read of the past. */
export interface PastReader {
  /** Changes of one revision. */
  at(revision: number): Promise<PastChange[]>;
  /** The newest change of an object that is wanted, up to and including a revision. */
  find(object: ObjectName, options: FindOptions): Promise<PastChange | undefined>;
  /** Changes that one request made, whatever their objects: those after a revision, up to and including another. */
  ofRequest(auditId: string, range: { readonly after: number; readonly to: number }): Promise<PastChange[]>;
}

export interface FindOptions {
  readonly upTo: number;
  /** @default all are */
  readonly wanted?: (change: PastChange) => boolean;
}

/** Of one object, changes that are looked at, at most. */
const mostPerObject = 1000;

export function createPastReader(
  {
    chronicle,
    owners,
    scheduler,
    signal,
  }: {
    readonly chronicle: Chronicle;
    readonly owners: KeyOwners;
    readonly scheduler: Scheduler;
    /** Ends the reading: the client is gone. */
    readonly signal: AbortSignal;
  },
  mayRead: (owner: KeyOwner, revision: number) => Promise<boolean>,
): PastReader {
  async function* read(
    query: Parameters<Chronicle["changes"]>[0],
    isWanted: (change: ChronicleChange) => boolean = () => true,
  ): AsyncGenerator<PastChange, void> {
    for await (const { change, older } of withOlder(chronicle, query, signal)) {
      const owner = owners.of(change.key);
      if (!isWanted(change) || !(await mayRead(owner, change.revision))) continue;
      const previous = await previousOf(chronicle, change, older);
      yield changeObject(change, previous, { owner, include: "Both" }) as PastChange;
      const pause = scheduler.yield(microsPerChange);
      if (pause) await pause;
      signal.throwIfAborted();
    }
  }
  return {
    async at(revision) {
      const found: PastChange[] = [];
      for await (const change of read({ to: revision, after: revision - 1 })) found.push(change);
      return found;
    },
    async find(object, { upTo, wanted = () => true }) {
      const kind = kindOf(owners.kinds(), object);
      if (!kind) return undefined;
      let seen = 0;
      const key = objectKey(kind, kind.namespaced ? object.namespace : "", object.name);
      for await (const change of read({ keys: [key], to: upTo })) {
        if (wanted(change)) return change;
        if (++seen >= mostPerObject) return undefined;
      }
      return undefined;
    },
    async ofRequest(auditId, range) {
      const found: PastChange[] = [];
      for await (const change of read(range, ({ note }) => note?.auditId === auditId)) found.push(change);
      return found;
    },
  };
}

const kindOf = (kinds: readonly AnyKind[], { group, kind }: ObjectName): AnyKind | undefined =>
  kinds.find((each) => each.group === group && (each.kind === kind || each.resource === kind));

import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import type { Chronicle } from "@coxswain/storage/chronicle";
import { objectKey } from "../../../cache/object-key.js";
import type { KeyOwner, KeyOwners } from "../../contract/key-owners.js";
import type { Change } from "../change.js";
import { changeObject } from "../change-object.js";
import { previousOf, withOlder } from "../read-changes.js";

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
  /** The newest changes, of all objects, down to a revision; at most so many. */
  since(after: number, most: number): Promise<PastChange[]>;
}

export interface FindOptions {
  readonly upTo: number;
  /** @default all are */
  readonly wanted?: (change: PastChange) => boolean;
}

/** Of one object, changes that are looked at, at most. */
const mostPerObject = 1000;

export function createPastReader(
  { chronicle, owners }: { readonly chronicle: Chronicle; readonly owners: KeyOwners },
  mayRead: (owner: KeyOwner, revision: number) => Promise<boolean>,
): PastReader {
  async function* read(query: Parameters<Chronicle["changes"]>[0]): AsyncGenerator<PastChange, void> {
    for await (const { change, older } of withOlder(chronicle, query)) {
      const owner = owners.of(change.key);
      if (!(await mayRead(owner, change.revision))) continue;
      const previous = await previousOf(chronicle, change, older);
      yield changeObject(change, previous, { owner, include: "Both" }) as PastChange;
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
    async since(after, most) {
      const found: PastChange[] = [];
      for await (const change of read({ after })) {
        found.push(change);
        if (found.length >= most) break;
      }
      return found;
    },
  };
}

const kindOf = (kinds: readonly AnyKind[], { group, kind }: ObjectName): AnyKind | undefined =>
  kinds.find((each) => each.group === group && (each.kind === kind || each.resource === kind));

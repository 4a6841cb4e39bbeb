import { isCheck } from "../contract/is-check.js";
import type { KeyEvent, Note, Write } from "../contract/key-value-store.js";

interface OwnWrite {
  readonly note: Note;
  readonly expected: number;
  /** Undefined: a delete. */
  readonly value: Uint8Array | undefined;
}

/**
 * etcd has no place for notes beside a value. Those of the writes of this process are given to their events: an event belongs to a write
 * that is under way if it replaced what that write expected, with the same bytes. Events of other servers have none.
 */
export class OwnNotes {
  readonly #byKey = new Map<string, OwnWrite[]>();

  /** The writes are under way until the returned function is called: after their events, since writers are answered after watchers. */
  begin(writes: readonly Write[]): () => void {
    const begun: [key: string, own: OwnWrite][] = [];
    for (const write of writes) {
      if (isCheck(write) || write.note === undefined) continue;
      const { key, note, expected } = write;
      const own: OwnWrite = { note, expected, value: write.op === "put" ? write.value : undefined };
      const others = this.#byKey.get(key);
      if (others) others.push(own);
      else this.#byKey.set(key, [own]);
      begun.push([key, own]);
    }
    return () => {
      for (const [key, own] of begun) {
        const left = this.#byKey.get(key)?.filter((each) => each !== own) ?? [];
        if (left.length > 0) this.#byKey.set(key, left);
        else this.#byKey.delete(key);
      }
    };
  }

  /** The event with the note of its write, if that is one of ours. */
  readonly noted = (event: KeyEvent): KeyEvent => {
    const own = this.#byKey.get(event.key)?.find((each) => isEventOf(event, each));
    return own ? { ...event, note: own.note } : event;
  };
}

function isEventOf({ type, record, previous }: KeyEvent, { expected, value }: OwnWrite): boolean {
  if ((previous?.revision ?? 0) !== expected) return false;
  return value === undefined
    ? type === "delete"
    : type === "put" && record !== undefined && Buffer.compare(record.value, value) === 0;
}

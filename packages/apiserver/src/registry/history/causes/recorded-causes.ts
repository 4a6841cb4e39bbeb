import { largest } from "@coxswain/apimachinery/append";
import { formatTime } from "@coxswain/apimachinery/time";
import {
  attributeWrite,
  parseClaim,
  type RecordedWork,
  type WorkRecorder,
  writeFacts,
  writerOf,
} from "@coxswain/client/work";
import type { KeyEvent } from "@coxswain/storage";
import type { ChronicleChange } from "@coxswain/storage/chronicle";
import { parseStored } from "../../../cache/encoded-object.js";
import type { ChangeCause } from "../change.js";

/** As it lies in the chronicle. */
interface StoredCause {
  readonly component: string;
  readonly queue: string;
  readonly item: string;
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly revisions: readonly number[];
  readonly certainty: "exact" | "one-of";
}

/**
 * Which work items made a change. A store delivers its events before their writers are answered, so the work that wrote is still under
 * way then; which of several it was is found out afterwards.
 */
export const recordedCauses =
  (works: Pick<WorkRecorder, "running">) =>
  (event: KeyEvent): (() => StoredCause[]) | undefined => {
    const writer = writerOf(event.note?.user);
    const running = writer === undefined ? [] : works.running(writer);
    return running.length === 0 ? undefined : () => causesOf(event, running);
  };

function causesOf(event: KeyEvent, running: readonly RecordedWork[]): StoredCause[] {
  const found = attributeWrite(
    writeFacts(event.key, () => objectOf(event), event.note?.cause),
    running,
  );
  return (found?.works ?? []).map(({ writer, queue, item, began, causes }) => ({
    component: writer,
    queue,
    item,
    began,
    revisions: [...new Set(causes.map(({ resourceVersion }) => resourceVersion))],
    certainty: found!.certainty,
  }));
}

function objectOf({ record, previous }: KeyEvent): unknown {
  const value = record?.value ?? previous?.value;
  try {
    return value && parseStored(value);
  } catch {
    return undefined; // of another server, or not readable
  }
}

/** The causes of a change as the API shows them: what was recorded here, else what the client claimed. */
export function shownCauses({ causes, note }: ChronicleChange): ChangeCause[] {
  if (Array.isArray(causes))
    return (causes as StoredCause[]).map(({ began, ...cause }) => ({
      ...newestOf(cause.revisions),
      ...cause,
      began: formatTime(began),
    }));
  const claim = note?.cause === undefined ? undefined : parseClaim(note.cause);
  if (!claim) return [];
  return [{ ...newestOf(claim.revisions), ...claim, component: note?.manager ?? "", certainty: "claimed" }];
}

const newestOf = (revisions: readonly number[]): { revision?: number } =>
  revisions.length === 0 ? {} : { revision: largest(revisions) };

import { largest } from "@coxswain/apimachinery/append";
import { formatTime } from "@coxswain/apimachinery/time";
import { attributeWrite, parseClaim, type RecordedWork, type WorkRecorder } from "@coxswain/client/work";
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

/** The name of a component of the system, as its work is traced; undefined: somebody else. */
function writerOf(user: string | undefined): string | undefined {
  if (!user?.startsWith("system:")) return undefined;
  return user.slice(user.startsWith(accounts) ? accounts.length : "system:".length);
}
const accounts = "system:serviceaccount:kube-system:";

function causesOf(event: KeyEvent, running: readonly RecordedWork[]): StoredCause[] {
  const found = attributeWrite({ object: objectOf(event.key), owners: () => ownersOf(event) }, running);
  return (found?.works ?? []).map(({ writer, queue, item, began, causes }) => ({
    component: writer,
    queue,
    item,
    began,
    revisions: [...new Set(causes.map(({ resourceVersion }) => resourceVersion))],
    certainty: found!.certainty,
  }));
}

/** The last two parts of a key are namespace and name, or resource and name: no work item has the name of a resource in front. */
const objectOf = (key: string): string => key.split("/").slice(-2).join("/");

interface Owned {
  readonly metadata?: {
    readonly namespace?: string;
    readonly name?: string;
    readonly ownerReferences?: readonly { readonly name: string; readonly controller?: boolean }[];
  };
}

/** The names of the object itself, which a key may hide, and of its controller. */
function ownersOf({ record, previous }: KeyEvent): string[] {
  const value = record?.value ?? previous?.value;
  if (!value) return [];
  let object: Owned;
  try {
    object = parseStored(value) as Owned;
  } catch {
    return []; // of another server, or not readable
  }
  const { namespace, name, ownerReferences = [] } = object.metadata ?? {};
  const owner = ownerReferences.find(({ controller }) => controller === true);
  return [
    ...(namespace === undefined && name !== undefined ? [name] : []),
    ...(owner ? [owner.name, ...(namespace === undefined ? [] : [`${namespace}/${owner.name}`])] : []),
  ];
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

import type { WorkTrace } from "@coxswain/runtime/activity";
import type { Clock } from "@coxswain/runtime/clock";

/** One reconcile: a worker had an item of a queue. */
export interface RecordedWork {
  /** Counts up. */
  readonly id: number;
  /** Under which name its component writes to the API; "": not known. */
  readonly writer: string;
  readonly queue: string;
  readonly item: string;
  readonly began: number;
  /** How far the store was then: all writes up to this revision came before. */
  readonly beganAfter: number;
  ended: number | undefined;
  endedAfter: number | undefined;
  /** What queued it, as far as events did: objects at a resourceVersion. */
  readonly causes: readonly WorkCause[];
  /** How often the work on it had failed before. */
  readonly retries: number;
}

/** An item that waits for a worker. */
export interface WaitingWork extends Pick<RecordedWork, "writer" | "queue" | "item" | "causes" | "retries"> {
  readonly since: number;
}

export interface WorkCause {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: number;
}

export interface WorkRecorder extends WorkTrace {
  /** Oldest first; the newest are kept. */
  readonly works: readonly RecordedWork[];
  readonly waiting: readonly WaitingWork[];
  /** What a component works on now. */
  running(writer: string): readonly RecordedWork[];
  /** Called when a worker takes an item or has finished with it. @returns how to end it */
  onChange(listener: (work: RecordedWork) => void): () => void;
}

export interface RecordWorkOptions {
  readonly clock: Clock;
  /** How far the store is. */
  revision(): number;
  /** How many are kept at least. @default 20000 */
  readonly most?: number;
}

const mostCauses = 16;

/** What is known of an item of a queue, from the moment it was added. */
interface Item {
  causes: WorkCause[];
  since: number;
  retries: number;
  running: RecordedWork | undefined;
  isQueued: boolean;
}

/** Items of one queue of one component. */
interface Queue {
  readonly writer: string;
  readonly name: string;
  readonly items: Map<unknown, Item>;
}

/** Follows work items and keeps the newest: a week of a busy cluster must not fill the memory. */
export const recordWork = (options: RecordWorkOptions): WorkRecorder => new WorkLog(options);

class WorkLog implements WorkRecorder {
  readonly #options: RecordWorkOptions;
  readonly #most: number;
  readonly #queues = new Map<string, Queue>();
  readonly #byWriter = new Map<string, Set<RecordedWork>>();
  readonly #listeners = new Set<(work: RecordedWork) => void>();
  #works: RecordedWork[] = [];
  #lastId = 0;
  handling: unknown = undefined;
  around: WorkTrace["around"] = undefined;

  constructor(options: RecordWorkOptions) {
    this.#options = options;
    this.#most = options.most ?? 20_000;
  }

  get works(): readonly RecordedWork[] {
    return this.#works;
  }

  get waiting(): readonly WaitingWork[] {
    return [...this.#queues.values()].flatMap(({ writer, name, items }) =>
      [...items]
        .filter(([, { isQueued }]) => isQueued)
        .map(([item, { causes, since, retries }]) => ({
          writer,
          queue: name,
          item: textOf(item),
          causes,
          since,
          retries,
        })),
    );
  }

  running(writer: string): readonly RecordedWork[] {
    const running = this.#byWriter.get(writer);
    return running === undefined || running.size === 0 ? [] : [...running];
  }

  onChange(listener: (work: RecordedWork) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  as(writer: string): WorkTrace {
    return new WriterTrace(this, writer);
  }

  queued(queue: string, item: unknown): void {
    this.itemQueued(this.queueOf("", queue), item);
  }

  retried(queue: string, item: unknown): void {
    this.itemRetried(this.queueOf("", queue), item);
  }

  began(queue: string, item: unknown): void {
    this.itemBegan(this.queueOf("", queue), item);
  }

  ended(queue: string, item: unknown): void {
    this.itemEnded(this.queueOf("", queue), item);
  }

  queueOf(writer: string, name: string): Queue {
    const key = `${writer} ${name}`;
    let found = this.#queues.get(key);
    if (!found) this.#queues.set(key, (found = { writer, name, items: new Map() }));
    return found;
  }

  itemQueued(queue: Queue, item: unknown): void {
    const known = this.#itemOf(queue, item);
    if (!known.isQueued) known.since = this.#options.clock.now();
    known.isQueued = true;
    addCause(known.causes, causeOf(this.handling));
  }

  itemRetried(queue: Queue, item: unknown): void {
    const known = this.#itemOf(queue, item);
    known.retries = (known.running?.retries ?? 0) + 1;
    for (const cause of known.running?.causes ?? []) addCause(known.causes, cause);
    known.isQueued = true;
  }

  itemBegan(queue: Queue, item: unknown): void {
    const { clock, revision } = this.#options;
    const { writer, name } = queue;
    const known = this.#itemOf(queue, item);
    const work: RecordedWork = {
      id: ++this.#lastId,
      writer,
      queue: name,
      item: textOf(item),
      began: clock.now(),
      beganAfter: revision(),
      ended: undefined,
      endedAfter: undefined,
      causes: known.causes,
      retries: known.retries,
    };
    known.causes = [];
    known.retries = 0;
    known.isQueued = false;
    known.running = work;
    let running = this.#byWriter.get(writer);
    if (!running) this.#byWriter.set(writer, (running = new Set()));
    running.add(work);
    this.#works.push(work);
    if (this.#works.length > 2 * this.#most) this.#works = this.#works.slice(-this.#most);
    for (const listener of this.#listeners) listener(work);
  }

  itemEnded({ writer, items }: Queue, item: unknown): void {
    const known = items.get(item);
    const work = known?.running;
    if (!known || !work) return;
    known.running = undefined;
    [work.ended, work.endedAfter] = [this.#options.clock.now(), this.#options.revision()];
    this.#byWriter.get(writer)?.delete(work);
    // What comes again is remembered.
    if (!known.isQueued && known.causes.length === 0) items.delete(item);
    for (const listener of this.#listeners) listener(work);
  }

  #itemOf({ items }: Queue, item: unknown): Item {
    let known = items.get(item);
    if (!known)
      items.set(
        item,
        (known = {
          causes: [],
          since: this.#options.clock.now(),
          retries: 0,
          running: undefined,
          isQueued: false,
        }),
      );
    return known;
  }
}

/** The log for the queues of one component. */
class WriterTrace implements WorkTrace {
  readonly #log: WorkLog;
  readonly #writer: string;

  constructor(log: WorkLog, writer: string) {
    this.#log = log;
    this.#writer = writer;
  }

  get handling(): unknown {
    return this.#log.handling;
  }

  set handling(object: unknown) {
    this.#log.handling = object;
  }

  get around(): WorkTrace["around"] {
    return this.#log.around;
  }

  as(writer: string): WorkTrace {
    return this.#log.as(writer);
  }

  queued(queue: string, item: unknown): void {
    this.#log.itemQueued(this.#log.queueOf(this.#writer, queue), item);
  }

  retried(queue: string, item: unknown): void {
    this.#log.itemRetried(this.#log.queueOf(this.#writer, queue), item);
  }

  began(queue: string, item: unknown): void {
    this.#log.itemBegan(this.#log.queueOf(this.#writer, queue), item);
  }

  ended(queue: string, item: unknown): void {
    this.#log.itemEnded(this.#log.queueOf(this.#writer, queue), item);
  }
}

const textOf = (item: unknown): string => (typeof item === "string" ? item : String(item));

function addCause(causes: WorkCause[], cause: WorkCause | undefined): void {
  if (!cause) return;
  // The newest count: what woke an item first may be long past when it is worked on.
  if (causes.length >= mostCauses) causes.shift();
  causes.push(cause);
}

interface Handled {
  readonly kind?: string;
  readonly metadata?: { readonly namespace?: string; readonly name?: string; readonly resourceVersion?: string };
}

function causeOf(object: unknown): WorkCause | undefined {
  const { kind = "", metadata } = (object ?? {}) as Handled;
  if (metadata?.resourceVersion === undefined) return undefined;
  const { namespace = "", name = "", resourceVersion } = metadata;
  return { kind, namespace, name, resourceVersion: Number(resourceVersion) };
}

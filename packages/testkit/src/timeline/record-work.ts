import type { WorkTrace } from "@coxswain/runtime/activity";
import type { Clock } from "@coxswain/runtime/clock";

/** One reconcile: a worker had an item of a queue. */
export interface RecordedWork {
  readonly queue: string;
  readonly item: string;
  readonly began: number;
  /** How far the store was then: all writes up to this revision came before. */
  readonly beganAfter: number;
  ended: number | undefined;
  endedAfter: number | undefined;
  /** What queued it, as far as events did: objects at a resourceVersion. */
  readonly causes: readonly WorkCause[];
}

export interface WorkCause {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: number;
}

export interface WorkRecorder extends WorkTrace {
  readonly works: readonly RecordedWork[];
}

/** The newest are kept: a week of a busy cluster must not fill the memory. */
const mostWorks = 20_000;
const mostCauses = 16;

export function recordWork({ clock, revision }: { clock: Clock; revision(): number }): WorkRecorder {
  let works: RecordedWork[] = [];
  const waking = new Map<string, WorkCause[]>();
  const running = new Map<string, RecordedWork>();
  const keyOf = (queue: string, item: unknown): string => `${queue} ${String(item)}`;
  return {
    handling: undefined,
    get works() {
      return works;
    },
    queued(queue, item) {
      const cause = causeOf(this.handling);
      if (!cause) return;
      const key = keyOf(queue, item);
      const causes = waking.get(key);
      if (!causes) waking.set(key, [cause]);
      else if (causes.length < mostCauses) causes.push(cause);
    },
    began(queue, item) {
      const key = keyOf(queue, item);
      const work: RecordedWork = {
        queue,
        item: String(item),
        began: clock.now(),
        beganAfter: revision(),
        ended: undefined,
        endedAfter: undefined,
        causes: waking.get(key) ?? [],
      };
      waking.delete(key);
      running.set(key, work);
      works.push(work);
      if (works.length > 2 * mostWorks) works = works.slice(-mostWorks);
    },
    ended(queue, item) {
      const key = keyOf(queue, item);
      const work = running.get(key);
      running.delete(key);
      if (work) [work.ended, work.endedAfter] = [clock.now(), revision()];
    },
  };
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

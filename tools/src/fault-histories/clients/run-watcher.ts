import { setTimeout as sleep } from "node:timers/promises";
import { type RandomSource, randomInt } from "@coxswain/runtime/random";
import type { Operation, SeenEvent, SeenObject, WatchSegment } from "../history/operation.js";
import { labelMember, type StoredObject, seenObject } from "../history/stored-object.js";
import { linesOf } from "./lines-of.js";
import { now, type PlainSender } from "./perform.js";

export interface WatcherOptions {
  readonly client: string;
  readonly senders: readonly PlainSender[];
  readonly random: RandomSource;
  /** Only objects with this label. Such a watcher lists by requests of their own. */
  readonly parity?: string | undefined;
  readonly signal: AbortSignal;
  record(operation: Operation): void;
  recordWatch(segment: WatchSegment): void;
  /** It has seen everything up to here. */
  onReached(revision: number): void;
}

type WatchLine =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK"; readonly object: StoredObject }
  | { readonly type: "ERROR"; readonly object: { readonly code?: number; readonly message?: string } };

/**
 * Watches until it is aborted: lists, then watches on from that revision, and from what it has seen whenever a watch ends, each time
 * through another API server. Now and then it leaves by itself. Once its revision is too old, it lists again, as an informer does: every
 * other time by a watch that begins with the list.
 */
export async function runWatcher(options: WatcherOptions): Promise<void> {
  const { client, senders, random, parity, signal, record } = options;
  let from: number | undefined;
  let at = randomInt(senders.length, random);
  for (let count = 0; !signal.aborted; count++, at++) {
    const sender = senders[at % senders.length]!;
    const id = `${client}-${count}`;
    if (from === undefined && (parity !== undefined || count % 2 === 0)) {
      const operation = await sender.perform(id, { verb: "list", read: "newest" });
      record(operation);
      if (operation.outcome.kind !== "listed") continue;
      from = operation.outcome.revision;
    }
    if (from !== undefined) options.onReached(from);
    from = await new WatchRequest(options, sender, id).run(from);
    await sleep(50 + randomInt(100, random));
  }
}

/** One request, until it ends. */
class WatchRequest {
  readonly #options: WatcherOptions;
  readonly #sender: PlainSender;
  readonly #id: string;
  readonly #began = now();
  /** Of a list at the beginning, which is not complete yet. */
  readonly #listed: SeenObject[] = [];
  #events: SeenEvent[] = [];
  #reached: number | undefined;

  constructor(options: WatcherOptions, sender: PlainSender, id: string) {
    this.#options = options;
    this.#sender = sender;
    this.#id = id;
  }

  /** @param from undefined: list first. Answers where to go on; undefined: the revision has expired, or never came. */
  async run(from: number | undefined): Promise<number | undefined> {
    const { random, signal } = this.#options;
    if (from !== undefined) this.#begin(from);
    const leave = AbortSignal.any([signal, AbortSignal.timeout(500 + randomInt(4000, random))]);
    try {
      const answer = await this.#sender.connection.open({ method: "GET", path: this.#query(from) }, leave);
      if (answer.statusCode !== 200) {
        answer.resume();
        return answer.statusCode === 410 ? undefined : this.#reached;
      }
      for await (const text of linesOf(answer)) {
        const line = JSON.parse(text) as WatchLine;
        if (line.type === "ERROR") return line.object.code === 410 ? undefined : this.#reached;
        this.#take(line);
      }
    } catch {
      // Cut off, by a fault or by ourselves.
    }
    return this.#reached;
  }

  #query(from: number | undefined): string {
    const { parity } = this.#options;
    const query = new URLSearchParams({ watch: "1", allowWatchBookmarks: "true" });
    if (from !== undefined) query.set("resourceVersion", String(from));
    else query.set("sendInitialEvents", "true");
    if (from === undefined) query.set("resourceVersionMatch", "NotOlderThan");
    if (parity !== undefined) query.set("labelSelector", `${labelMember}=${parity}`);
    return `?${query}`;
  }

  #begin(from: number): void {
    const { client: watcher, parity, recordWatch } = this.#options;
    const selector = parity === undefined ? {} : { selector: { member: labelMember, value: parity } };
    recordWatch({ watcher, server: this.#sender.server, from, events: this.#events, ...selector });
    this.#reached = from;
  }

  #take({ type, object }: Exclude<WatchLine, { type: "ERROR" }>): void {
    const revision = Number(object.metadata.resourceVersion);
    if (this.#reached !== undefined) {
      this.#events.push(
        type === "BOOKMARK" ? { type, revision, at: now() } : { type, object: seenObject(object), at: now() },
      );
      this.#reached = revision;
    } else if (type === "BOOKMARK") {
      const outcome = { kind: "listed", revision, objects: this.#listed } as const;
      const request = { verb: "list", read: "newest" } as const;
      const [id, began, server] = [this.#id, this.#began, this.#sender.server];
      this.#options.record({ id, server, request, outcome, began, ended: now() });
      this.#begin(revision);
    } else this.#listed.push(seenObject(object));
    if (this.#reached !== undefined) this.#options.onReached(this.#reached);
  }
}

import type { Clock } from "@coxswain/runtime/clock";
import { clientWaitMs } from "../../request/held-seats.js";
import type { RequestContext } from "../../request/request-context.js";
import type { ResponseSink } from "../../request/response-sink.js";

export interface UnreadAnswersOptions {
  readonly ioClock: Pick<Clock, "setTimer">;
  /** Called for an answer that is cut because its client does not read and there are too many like it. */
  onCut(context: RequestContext): void;
  /** What all of them together may hold. @default 256 MiB */
  readonly totalBytes?: number;
  /** What those of one user may hold. @default half of the total */
  readonly userBytes?: number;
}

/** The chunk of a list that is under way, the next one, and what surrounds them. */
const minHeldBytes = 512 << 10;

interface Unread {
  readonly context: RequestContext;
  readonly sink: ResponseSink;
  readonly bytes: number;
}

/**
 * Slow readers: answers whose clients do not read as fast as they are written. They hold no seats, because the server does nothing for them; they
 * hold memory, which is limited instead: beyond the limit the answers of the user that holds most are cut, those that wait longest first.
 */
export class UnreadAnswers {
  readonly #options: UnreadAnswersOptions;
  readonly #total: number;
  readonly #perUser: number;
  /** By user, oldest first. */
  readonly #users = new Map<string, Set<Unread>>();
  readonly #bytes = new Map<string, number>();
  #held = 0;

  constructor(options: UnreadAnswersOptions) {
    this.#options = options;
    this.#total = options.totalBytes ?? 256 << 20;
    this.#perUser = options.userBytes ?? this.#total / 2;
  }

  /** What is held now. */
  get held(): number {
    return this.#held;
  }

  /** Follows an answer while it is being written: looks now and then whether it waits for its client. @returns how to stop when it is over */
  follow(context: RequestContext, sink: ResponseSink): () => void {
    // Watches have a limit of their own for events that are not read.
    const isWatch = context.info.verb === "watch";
    let unread: Unread | undefined;
    const look = (): void => {
      if (isWatch && !context.seats?.isHeld) return;
      if (sink.unreadBytes === 0) return void (timer = this.#options.ioClock.setTimer(clientWaitMs, look));
      context.seats?.release();
      if (!isWatch) this.#add((unread = { context, sink, bytes: Math.max(minHeldBytes, sink.unreadBytes) }));
    };
    let timer = this.#options.ioClock.setTimer(clientWaitMs, look);
    return () => {
      timer.cancel();
      if (unread) this.#remove(unread);
    };
  }

  #add(unread: Unread): void {
    const user = unread.context.user.name;
    const own = this.#users.get(user);
    if (own) own.add(unread);
    else this.#users.set(user, new Set([unread]));
    this.#count(user, unread.bytes);
    if ((this.#bytes.get(user) ?? 0) > this.#perUser) this.#cutOldestOf(user);
    if (this.#held > this.#total) this.#cutOldestOf(this.#largestHolder());
  }

  #remove(unread: Unread): void {
    const user = unread.context.user.name;
    const own = this.#users.get(user);
    if (!own?.delete(unread)) return;
    if (own.size === 0) this.#users.delete(user);
    this.#count(user, -unread.bytes);
  }

  #count(user: string, bytes: number): void {
    this.#held += bytes;
    const sum = (this.#bytes.get(user) ?? 0) + bytes;
    if (sum > 0) this.#bytes.set(user, sum);
    else this.#bytes.delete(user);
  }

  #largestHolder(): string {
    let most = ["", 0] as [string, number];
    for (const entry of this.#bytes) if (entry[1] > most[1]) most = entry;
    return most[0];
  }

  #cutOldestOf(user: string): void {
    const [oldest] = this.#users.get(user) ?? [];
    if (!oldest) return;
    this.#remove(oldest);
    this.#options.onCut(oldest.context);
    oldest.context.expire(tooManyUnread);
    oldest.sink.abort();
  }
}

const tooManyUnread = new Error("the client does not read its answers, and has too many of them");

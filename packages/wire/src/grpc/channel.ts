import type { RandomBytes } from "@coxswain/runtime/random";
import { type Connection, type ConnectionOptions, openConnection } from "./connection.js";
import { type Endpoint, parseEndpoint } from "./endpoint.js";
import { GrpcError } from "./status.js";

export interface ChannelOptions extends ConnectionOptions {
  /** `https://host:port`, `http://host:port` or `unix:///path`; the first that answers is used until it fails. */
  readonly endpoints: readonly string[];
  readonly random: RandomBytes;
  /** After all endpoints failed. Doubles, with up to a fifth of chance, up to `maxBackoffMs`. @default 100 */
  readonly baseBackoffMs?: number;
  /** @default 5000 */
  readonly maxBackoffMs?: number;
}

/** A way to one of several servers that are all as good. Connects when it is first used, and again when it must. */
export interface Channel {
  /**
   * The connection in use, or a new one. Rejects with UNAVAILABLE when every endpoint has been tried in vain,
   * and then at once until a pause is over; with `patient` it goes on trying until the signal is aborted.
   */
  acquire(options: { patient: boolean; signal: AbortSignal | undefined }): Promise<Connection>;
  /** Of the connection in use, if any. */
  readonly current: Connection | undefined;
  /** Leaves `connection`, if it is still the one in use, for the next endpoint: it answers, but not well. */
  leave(connection: Connection): void;
  /** Ends all calls. */
  close(): Promise<void>;
}

export function createChannel(options: ChannelOptions): Channel {
  const endpoints = options.endpoints.map(parseEndpoint);
  if (endpoints.length === 0) throw new TypeError("a channel needs at least one endpoint");
  const backoff = createBackoff(options);
  const connections = new Set<Connection>();
  let current: Connection | undefined;
  let connecting: Promise<Connection> | undefined;
  let next = 0;
  const closing = new AbortController();

  /** Tries every endpoint once, beginning with the one that follows the last. */
  const connectToAny = async (): Promise<Connection> => {
    let failure: unknown;
    for (const _ of endpoints) {
      try {
        return adopt(await openConnection(endpoints[next] as Endpoint, options, closing.signal));
      } catch (error) {
        failure = error;
        next = (next + 1) % endpoints.length;
      }
      if (closing.signal.aborted) throw closedError();
    }
    backoff.failed(failure);
    throw failure;
  };
  const adopt = (connection: Connection): Connection => {
    if (closing.signal.aborted) {
      connection.destroy();
      throw closedError();
    }
    backoff.succeeded();
    connections.add(connection);
    current = connection;
    void connection.closed.then(() => {
      connections.delete(connection);
      leave(connection);
    });
    return connection;
  };
  const leave = (connection: Connection): void => {
    connection.drain();
    if (current !== connection) return;
    current = undefined;
    next = (next + 1) % endpoints.length;
  };
  const acquire: Channel["acquire"] = async ({ patient, signal }) => {
    for (;;) {
      if (closing.signal.aborted) throw closedError();
      if (signal?.aborted)
        throw new GrpcError("CANCELLED", "the call was cancelled before it began", { neverSent: true });
      if (current?.usable) return current;
      const pause = backoff.pause();
      if (pause && !patient) throw pause.failure;
      if (pause) await abortable(pause.over, signal);
      else {
        connecting ??= connectToAny().finally(() => void (connecting = undefined));
        const attempt = abortable(connecting, signal);
        if (patient) await attempt.catch(() => undefined);
        else await attempt;
      }
    }
  };
  return {
    acquire,
    leave,
    get current() {
      return current?.usable ? current : undefined;
    },
    async close() {
      closing.abort();
      const all = [...connections];
      for (const connection of all) connection.destroy();
      await Promise.all([...all.map((connection) => connection.closed), connecting?.catch(() => undefined)]);
    },
  };
}

const closedError = (): GrpcError => new GrpcError("UNAVAILABLE", "the channel is closed", { neverSent: true });

/** Rejects as soon as the signal is aborted; what was waited for goes on for others. */
async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(new GrpcError("CANCELLED", "the call was cancelled before it began", { neverSent: true }));
    signal.addEventListener("abort", abort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

interface Backoff {
  failed(failure: unknown): void;
  succeeded(): void;
  /** While it lasts: why, and when it is over. */
  pause(): { failure: unknown; over: Promise<void> } | undefined;
}

function createBackoff(options: ChannelOptions): Backoff {
  const { clock, random, baseBackoffMs = 100, maxBackoffMs = 5000 } = options;
  let failures = 0;
  let pause: { failure: unknown; over: Promise<void> } | undefined;
  return {
    failed(failure) {
      const chance = 1 + ((random.bytes(1)[0]! / 255) * 2 - 1) / 5;
      const delay = Math.min(maxBackoffMs, baseBackoffMs * 2 ** Math.min(failures, 20)) * chance;
      failures += 1;
      const over = new Promise<void>((resolve) => void clock.setTimer(delay, resolve));
      const mine = { failure, over };
      pause = mine;
      void over.then(() => (pause === mine ? (pause = undefined) : undefined));
    },
    succeeded() {
      failures = 0;
      pause = undefined;
    },
    pause: () => pause,
  };
}

import { internalError, resourceExpired } from "@coxswain/apimachinery/status";
import { type Interceptor, TransportError, type TransportRequest } from "@coxswain/client/transport";
import type { Clock } from "@coxswain/runtime/clock";
import { type RandomSource, randomInt } from "@coxswain/runtime/random";
import { type Refusal, refusals, refusedResponse, refusedWatch } from "./refusals.js";
import { StormStream, type StreamEnd } from "./storm-stream.js";

/** What can go wrong between a program and its server, from the client library's point of view. */
export const troubles = ["cut", "ended", "silent", "gone", "broken", "refused", "slow"] as const;
export type Trouble = (typeof troubles)[number];

/**
 * Bad weather between programs and their server: watches are cut in a frame, end, fall silent, or report 410 or 500; some requests in a
 * row meet 429, 500, 503, 401, pages of a proxy, no server or a lost answer; requests or answers are late.
 */
export interface Storm {
  /** For `cluster.run(…, { through })`; several programs may share a storm. */
  readonly through: Interceptor;
  /** One trouble, drawn by chance; `only` leaves no choice. */
  strike(only?: Trouble): Trouble;
  /** From now on requests are answered. Watches that fell silent stay so, until their readers give them up. */
  calm(): void;
}

export interface StormOptions {
  readonly random: RandomSource;
  readonly clock: Clock;
  /** The latest that a request or an answer of a slow time arrives, in milliseconds. @default 3,000 */
  readonly mostDelayMs?: number;
}

export function createStorm({ random, clock, mostDelayMs = 3000 }: StormOptions): Storm {
  const open = new Set<StormStream>();
  let isCalm = false;
  /** So many requests are still refused, or late. */
  let refused = 0;
  let slow = 0;

  const breakAll = (end: StreamEnd): void => {
    for (const stream of open) stream.break(end);
    open.clear();
  };
  const act: Record<Trouble, () => void> = {
    cut: () => breakAll({ error: new TransportError("malformed", "the connection was cut within a frame (storm)") }),
    ended: () => breakAll({}),
    silent: () => breakAll({ silent: true }),
    gone: () => breakAll({ last: { type: "ERROR", error: resourceExpired("too old resource version (storm)") } }),
    broken: () => breakAll({ last: { type: "ERROR", error: internalError("broken (storm)") } }),
    refused: () => void (refused = 1 + randomInt(5, random)),
    slow: () => void (slow = 1 + randomInt(5, random)),
  };

  function drawRefusal(): Refusal | undefined {
    if (isCalm || refused === 0) return undefined;
    refused -= 1;
    return refusals[randomInt(refusals.length, random)];
  }
  /** Undefined: neither the request nor its answer is late. */
  function drawDelay(): { readonly before: number; readonly after: number } | undefined {
    if (isCalm || slow === 0) return undefined;
    slow -= 1;
    return { before: randomInt(mostDelayMs, random), after: randomInt(mostDelayMs, random) };
  }
  const pass = (ms: number): Promise<void> => new Promise((resolve) => void clock.setTimer(ms, resolve));
  const lost = (): TransportError => new TransportError("lost", "the connection was lost (storm)");

  async function inTime<T>({ signal }: TransportRequest, send: () => Promise<T>): Promise<T> {
    const delay = drawDelay();
    if (delay === undefined) return send();
    await pass(delay.before);
    signal?.throwIfAborted();
    const answer = await send();
    await pass(delay.after);
    return answer;
  }

  return {
    strike(only) {
      const trouble = only ?? (troubles[randomInt(troubles.length, random)] as Trouble);
      act[trouble]();
      return trouble;
    },
    calm: () => void (isCalm = true),
    through: (next) => ({
      async send(request) {
        const refusal = drawRefusal();
        if (refusal === undefined) return inTime(request, () => next.send(request));
        if (refusal.as !== "lost") return refusedResponse(refusal);
        await next.send(request);
        throw lost();
      },
      async watch(request) {
        const refusal = drawRefusal();
        if (refusal) throw refusal.as === "lost" ? lost() : refusedWatch(refusal);
        const stream = new StormStream(await inTime(request, () => next.watch(request)), () => open.delete(stream));
        open.add(stream);
        return stream;
      },
      close: () => next.close(),
    }),
  };
}

import type { Soon } from "@coxswain/runtime/soon";

/**
 * The seats of priority and fairness that a request holds while the server works for it. While it waits for its client they belong to
 * others: a client that sends its body byte by byte, or stops reading, would keep them until the request times out (slow loris). Upstream's
 * requests do keep them; what a well-behaved client sees is the same.
 */
export interface HeldSeats {
  /**
   * Waits for what the client sends. Where that takes longer than `clientWaitMs`, the seats are given back meanwhile and taken again, in the
   * flow's queue like any request's, before this resolves. Rejects with 429 where they cannot be had again.
   */
  during<T>(arriving: Promise<T>): Promise<T>;
  readonly isHeld: boolean;
  /** The server's work is done, or goes on at the client's pace. More than one call is the same as one. */
  release(): void;
}

/**
 * A request that waits so long for its client gives its seats back: longer than a round trip of most networks, short
 * enough that a queue of requests is served meanwhile.
 */
export const clientWaitMs = 100;

/** What arrives at once needs nobody to wait. */
export const whileArriving = <T>(seats: HeldSeats | undefined, arriving: Soon<T>): Soon<T> =>
  seats && arriving instanceof Promise ? seats.during(arriving) : arriving;

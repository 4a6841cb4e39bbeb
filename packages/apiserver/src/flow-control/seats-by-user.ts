/** A level's seats that users who hold none find free: one in so many. */
const oneIn = 8;

/** The seats of a level that anybody may take. */
export const unreserved = (limit: number): number => limit - Math.floor(limit / oneIn);

/**
 * How many seats each user holds. The last eighth of a level's seats is for users who hold none of it. Requests that last (a webhook
 * that does not answer, an aggregated server that is slow) are not interrupted, and queues share out only what becomes free: without this
 * reserve one user's hundred slow requests keep everybody else of the level waiting until they time out. Upstream has none.
 */
export class SeatsByUser {
  readonly #held = new Map<string, number>();

  add(user: string, seats: number): void {
    const sum = (this.#held.get(user) ?? 0) + seats;
    if (sum > 0) this.#held.set(user, sum);
    else this.#held.delete(user);
  }

  holds(user: string): boolean {
    return this.#held.has(user);
  }

  /** Of `limit` seats `inUse` are taken: whether the user has some already, and these `seats` would be of the reserve. */
  mustLeave(user: string, seats: number, { inUse, limit }: { inUse: number; limit: number }): boolean {
    return inUse + seats > unreserved(limit) && this.holds(user);
  }
}

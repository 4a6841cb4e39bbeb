import { Http1Crowd } from "./http1-crowd.js";

/** The crowds of a server: one of each user who has connections of HTTP/1.1. */
export class Http1Crowds {
  readonly #byUser = new Map<string, { readonly crowd: Http1Crowd; members: number }>();

  join(user: string): Http1Crowd {
    let entry = this.#byUser.get(user);
    if (!entry) this.#byUser.set(user, (entry = { crowd: new Http1Crowd(), members: 0 }));
    entry.members += 1;
    return entry.crowd;
  }

  /** Whoever joined leaves once. */
  leave(user: string): void {
    const entry = this.#byUser.get(user);
    if (!entry) return;
    entry.members -= 1;
    if (entry.members === 0) this.#byUser.delete(user);
  }
}

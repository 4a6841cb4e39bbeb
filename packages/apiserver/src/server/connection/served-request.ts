import { clientGone, LazySignal } from "@coxswain/runtime/lazy-signal";
import type { Caller } from "../../request/request.js";
import type { RequestTarget } from "./request-target.js";

/** What requests have in common that come over a connection. Most are answered before anybody wants to know whether their client is gone. */
export abstract class ServedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly caller: Caller;
  #gone: LazySignal | undefined;

  constructor(method: string, { path, query }: RequestTarget, caller: Caller) {
    this.method = method;
    this.path = path;
    this.query = query;
    this.caller = caller;
  }

  get signal(): AbortSignal {
    return this.#going().signal;
  }

  whenGone(then: () => void): () => void {
    return this.#going().whenAborted(then);
  }

  /** Calls back once, when the client is gone or the answer is out; at once if that is so. */
  protected abstract watchClient(then: () => void): void;

  #going(): LazySignal {
    if (this.#gone) return this.#gone;
    const gone = (this.#gone = new LazySignal());
    this.watchClient(() => gone.abort(clientGone));
    return gone;
  }
}

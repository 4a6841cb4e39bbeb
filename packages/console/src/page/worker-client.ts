import { batch, type Signal, signal } from "@preact/signals";
import type { Calls, Feeds, Problem, ToPage, ToWorker } from "../contract/messages.js";

/** What a call that failed rejects with: the server's words. */
export class CallError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

export const problemIn = (error: unknown): Problem =>
  error instanceof CallError ? error.problem : { message: (error as Error).message, reason: "", code: 0 };

/** Something open in the worker; `state` follows it. */
export interface OpenFeed<Name extends keyof Feeds> {
  readonly state: Signal<Feeds[Name]["state"] | undefined>;
  update(params: Feeds[Name]["params"]): void;
  close(): void;
}

export interface WorkerClient {
  readonly connection: Signal<"open" | "lost">;
  call<Name extends keyof Calls>(
    name: Name,
    params: Calls[Name]["params"],
    port?: MessagePort,
  ): Promise<Calls[Name]["result"]>;
  feed<Name extends keyof Feeds>(name: Name, params: Feeds[Name]["params"]): OpenFeed<Name>;
}

export function createWorkerClient(worker: Worker): WorkerClient {
  const connection = signal<"open" | "lost">("open");
  const calls = new Map<number, { resolve(result: never): void; reject(error: Error): void }>();
  const states = new Map<number, Signal<unknown>>();
  /** What is drawn with the next frame: of several states of a feed, the last. */
  const arrived = new Map<number, unknown>();
  let nextId = 1;
  const post = (message: ToWorker, transfer: Transferable[] = []): void => worker.postMessage(message, transfer);

  const show = (): void => {
    batch(() => {
      for (const [id, state] of arrived) {
        const shown = states.get(id);
        if (shown) shown.value = state;
      }
    });
    arrived.clear();
  };

  worker.onmessage = ({ data }: MessageEvent<ToPage>) => {
    if ("connection" in data) connection.value = data.connection;
    else if ("state" in data) {
      if (arrived.size === 0) requestAnimationFrame(show);
      arrived.set(data.id, data.state);
    } else {
      const call = calls.get(data.id);
      calls.delete(data.id);
      if ("problem" in data) call?.reject(new CallError(data.problem));
      else call?.resolve(data.result as never);
    }
  };
  return {
    connection,
    call(name, params, port) {
      const id = nextId++;
      return new Promise((resolve, reject) => {
        calls.set(id, { resolve, reject });
        post({ id, call: name, params, ...(port && { port }) } as ToWorker, port ? [port] : []);
      });
    },
    feed(name, params) {
      const id = nextId++;
      const state = signal<never | undefined>(undefined);
      states.set(id, state as Signal<unknown>);
      post({ id, feed: name, params } as ToWorker);
      return {
        state: state as Signal<never>,
        update: (next) => post({ id, feed: name, params: next } as ToWorker),
        close() {
          states.delete(id);
          post({ id, close: true });
        },
      };
    },
  };
}

import type { RestClient } from "@coxswain/client";
import type { Calls, ForwardedPort } from "../contract/messages.js";
import type { Feed } from "./feed.js";
import { problemOf } from "./problem.js";

/** Ports of the relay's machine that lead to pods. Each is a request that lasts until it is ended. */
export interface Forwards {
  /** Resolves once the port is open. */
  open(target: Calls["forward"]["params"]): Promise<void>;
  end(id: number): void;
  feed(push: (ports: readonly ForwardedPort[]) => void): Feed<Record<never, never>>;
}

export function createForwards(rest: RestClient): Forwards {
  const ports = new Map<number, { state: ForwardedPort; readonly ending: AbortController }>();
  const listeners = new Set<() => void>();
  let nextId = 1;
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    async open({ namespace, pod, port }) {
      const id = nextId++;
      const ending = new AbortController();
      const { signal } = ending;
      const lines = linesOf(
        await rest.open({
          method: "POST",
          path: `/console/forwards/${encodeURIComponent(namespace)}/${encodeURIComponent(pod)}/${port}`,
          signal,
        }),
      );
      const state = { id, namespace, pod, podPort: port, localPort: 0, connections: 0, problem: undefined };
      ports.set(id, { state, ending });
      await new Promise<void>((resolve) => {
        const read = async (): Promise<void> => {
          try {
            for await (const { port: localPort, connections, problem } of lines) {
              const failed = problem === "" ? undefined : { message: problem, reason: "", code: 0 };
              ports.set(id, { state: { ...state, localPort, connections, problem: failed }, ending });
              changed();
              resolve();
            }
            ports.delete(id); // the pod is gone
          } catch (error) {
            const last = ports.get(id);
            if (signal.aborted) ports.delete(id);
            else if (last) ports.set(id, { state: { ...last.state, localPort: 0, problem: problemOf(error) }, ending });
          }
          changed();
          resolve();
        };
        void read();
      });
    },
    end(id) {
      ports.get(id)?.ending.abort();
      ports.delete(id);
      changed();
    },
    feed(push) {
      const show = (): void => push([...ports.values()].map(({ state }) => state));
      listeners.add(show);
      show();
      return { update() {}, close: () => void listeners.delete(show) };
    },
  };
}

interface Line {
  readonly port: number;
  readonly connections: number;
  readonly problem: string;
}

async function* linesOf(response: { stream(): AsyncIterable<Uint8Array> }): AsyncGenerator<Line, void> {
  const decoder = new TextDecoder();
  let left = "";
  for await (const chunk of response.stream()) {
    const parts = (left + decoder.decode(chunk, { stream: true })).split("\n");
    left = parts.pop() ?? "";
    for (const part of parts) yield JSON.parse(part) as Line;
  }
}

import { type ServedPort, type ServedPortOptions, servePort } from "../forward/served-port.js";
import type { WantedPort } from "./group-ports.js";

export interface FailedPort {
  readonly wanted: WantedPort;
  readonly error: NodeJS.ErrnoException;
}

/** The sockets that are listened on. */
export interface Ports {
  /** Opens what is wanted and not open, updates what is, closes the rest. Resolves to what could not be opened; it is tried again each time. */
  apply(wanted: readonly WantedPort[]): Promise<readonly FailedPort[]>;
  close(): Promise<void>;
}

export function createPorts(options: ServedPortOptions): Ports {
  const open = new Map<string, ServedPort>();
  const closing = new Set<Promise<void>>();

  function closeOne(key: string, port: ServedPort): void {
    open.delete(key);
    const closed = port.close().finally(() => closing.delete(closed));
    closing.add(closed);
  }

  return {
    async apply(wanted) {
      const keys = new Set(wanted.map(keyOf));
      for (const [key, port] of open) if (!keys.has(key)) closeOne(key, port);
      const failed: FailedPort[] = [];
      for (const one of wanted) {
        const there = open.get(keyOf(one));
        if (there) there.update(one.listeners);
        else
          try {
            open.set(keyOf(one), await servePort(one, one.listeners, options));
          } catch (error) {
            failed.push({ wanted: one, error: error as NodeJS.ErrnoException });
          }
      }
      return failed;
    },
    async close() {
      for (const [key, port] of open) closeOne(key, port);
      await Promise.all(closing);
    },
  };
}

/** A port whose protocol changes is closed and opened anew. */
const keyOf = ({ address, port, listeners }: WantedPort): string => `${address} ${port} ${listeners[0]?.protocol}`;

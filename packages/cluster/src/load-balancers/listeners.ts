import type { WantedListener } from "./load-balancer-plan.js";
import type { OpenListener, RelayOptions } from "./open-listener.js";
import { relayTcp } from "./relay-tcp.js";
import { relayUdp } from "./relay-udp.js";

export interface FailedListener {
  readonly wanted: WantedListener;
  readonly error: NodeJS.ErrnoException;
}

export interface Listeners {
  /** Opens what is wanted and not open, updates what is, closes the rest. Resolves to what could not be opened; it is tried again each time. */
  apply(wanted: readonly WantedListener[]): Promise<readonly FailedListener[]>;
  close(): Promise<void>;
}

/** Rejects with the error of `listen`. */
const openListener = (wanted: WantedListener, options: RelayOptions): Promise<OpenListener> =>
  wanted.transport === "TCP" ? relayTcp(wanted, options) : relayUdp(wanted, options);

export function createListeners(options: RelayOptions): Listeners {
  const open = new Map<string, { readonly listener: OpenListener; readonly service: string }>();
  const closing = new Set<Promise<void>>();

  function closeOne(key: string): void {
    const closed = open
      .get(key)!
      .listener.close()
      .finally(() => closing.delete(closed));
    closing.add(closed);
    open.delete(key);
  }

  async function openOne(wanted: WantedListener): Promise<FailedListener | undefined> {
    try {
      open.set(wanted.key, { listener: await openListener(wanted, options), service: wanted.service });
      return undefined;
    } catch (error) {
      return { wanted, error: error as NodeJS.ErrnoException };
    }
  }

  return {
    async apply(wanted) {
      const byKey = new Map(wanted.map((one) => [one.key, one]));
      for (const [key, { service }] of open) if (byKey.get(key)?.service !== service) closeOne(key);
      const failed: FailedListener[] = [];
      for (const one of wanted) {
        const there = open.get(one.key);
        if (there) there.listener.update(one);
        else {
          const failure = await openOne(one);
          if (failure) failed.push(failure);
        }
      }
      return failed;
    },
    async close() {
      for (const key of open.keys()) closeOne(key);
      await Promise.all(closing);
    },
  };
}

import type { Runtime } from "@coxswain/runtime";
import { readAssets } from "./assets.js";
import { guardsOf } from "./guards/index.js";
import { openPodPort } from "./pod-port.js";
import type { ConsoleClock, Upstream } from "./relay-stream.js";
import { type Relay, startRelay } from "./serve-relay.js";

export interface ConsoleOptions {
  readonly upstream: Upstream;
  /** Where the built page is. */
  readonly folder: string;
  /** Shown at the top of the page. */
  readonly cluster: string;
  readonly readOnly: boolean;
  /** Tried one after the other; the last should be 0. */
  readonly ports: readonly number[];
  /** Of a test's cluster: the page may let its time pass. */
  readonly clock?: ConsoleClock;
  /** Undefined: 127.0.0.1. Another address needs a certificate. */
  readonly elsewhere?: {
    readonly host: string;
    readonly names: readonly string[];
    readonly cert: string;
    readonly key: string;
  };
}

/** The console of one cluster, with every guard. */
export async function serveConsole(runtime: Runtime, options: ConsoleOptions): Promise<Relay> {
  const { upstream, folder, cluster, readOnly, elsewhere, clock } = options;
  const assets = readAssets(folder);
  for (const [at, port] of options.ports.entries()) {
    try {
      return await startRelay(runtime, {
        upstream,
        assets,
        facts: { cluster, readOnly, hasClock: clock !== undefined },
        openPodPort,
        clock,
        host: elsewhere?.host ?? "127.0.0.1",
        port,
        names: elsewhere?.names ?? [],
        tls: elsewhere,
        guards: guardsOf({ loopbackOnly: elsewhere === undefined }),
      });
    } catch (error) {
      const isTaken = (error as { code?: string }).code === "EADDRINUSE";
      if (!isTaken || at === options.ports.length - 1) throw error;
    }
  }
  throw new RangeError("name at least one port");
}

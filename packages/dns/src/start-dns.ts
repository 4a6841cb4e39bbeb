import type { Client } from "@coxswain/client";
import type { Runtime } from "@coxswain/runtime";
import { type Message, recordClasses } from "@coxswain/wire/dns";
import type { ClusterZones } from "./answer/cluster-zones.js";
import type { ForwardOptions } from "./forward/forward-routes.js";
import { createForwarder } from "./forward/forwarder.js";
import type { Records } from "./records/records.js";
import { watchRecords } from "./records/watch-records.js";
import { createClientLimiter } from "./server/client-limiter.js";
import { createDnsMetrics } from "./server/dns-metrics.js";
import type { ListenAddress, Listening } from "./server/listening.js";
import { createLoopProbe, queryOf } from "./server/loop-probe.js";
import { createQueryHandler } from "./server/query-handler.js";
import { serveTcp } from "./server/serve-tcp.js";
import { serveUdp } from "./server/serve-udp.js";

export interface DnsOptions {
  readonly runtime: Runtime;
  /** Lists and watches Namespaces, Services and EndpointSlices of all namespaces. */
  readonly client: Client;
  readonly zones: ClusterZones;
  readonly forward: ForwardOptions;
  /** Questions that one client may ask in a second; those above it are dropped. 0: any number. */
  readonly clientQueriesPerSecond: number;
  /** The label `server` of metrics, such as `dns://:53`. */
  readonly metricsName: string;
}

/** A DNS server for a cluster. Without `listen` it has no socket, except for those by which it asks other servers. */
export interface RunningDns {
  /** Resolves once the cluster was read. */
  readonly ready: Promise<void>;
  readonly isReady: boolean;
  /** What it answers from. */
  readonly records: Records;
  /** Answers by UDP and TCP at one address and port. */
  listen(address: ListenAddress): Promise<Listening>;
  /** The answer to a question of this type (a code of `recordTypes`), as a client would get it over TCP. */
  resolve(name: string, type: number): Promise<Message>;
  /** Stops listening once questions under way are answered, and following the cluster. */
  stop(): Promise<void>;
}

export function startDns(options: DnsOptions): RunningDns {
  const { runtime, zones, forward } = options;
  const watched = watchRecords(runtime, options.client);
  const metrics = createDnsMetrics(runtime.metrics, options.metricsName);
  const forwarder = createForwarder(runtime, forward, metrics);
  metrics.followCache(forwarder.cache);
  const probe = createLoopProbe(runtime);
  const { records } = watched;
  const handler = createQueryHandler({
    runtime,
    records,
    zones,
    forwarder,
    metrics,
    anyClass: forward.servers.length > 0,
    isOwnQuestion: (question) => probe.isOwnQuestion(question),
  });
  const limiter = createClientLimiter(runtime.ioClock, options.clientQueriesPerSecond);
  const listeners: Listening[] = [];
  let isStopped = false;
  return {
    ready: watched.ready,
    records,
    get isReady() {
      return records.isComplete && !isStopped;
    },
    async listen(address) {
      const serving = {
        handle: handler.handle,
        limiter,
        clock: runtime.ioClock,
        scheduler: runtime.scheduler,
        onDropped: () => metrics.dropped(),
        onError: (error: unknown) => runtime.log.warn("a DNS question could not be answered", { error }),
      };
      const both = await listenBoth(address, serving);
      listeners.push(both);
      const servers = [...forward.servers, ...[...forward.stubDomains.values()].flat()];
      void probe.run(servers, forwarder);
      return both;
    },
    resolve: (name, type) => handler.resolve(queryOf(0, { name, type, class: recordClasses.IN })),
    async stop() {
      isStopped = true;
      await Promise.all(listeners.map((listener) => listener.stop()));
      await watched.stop();
    },
  };
}

/** TCP first: where any port will do, it is harder to get one that is free. */
async function listenBoth(address: ListenAddress, serving: Parameters<typeof serveTcp>[1]): Promise<Listening> {
  const tcp = await serveTcp(address, serving);
  try {
    const udp = await serveUdp({ host: address.host, port: tcp.port }, serving);
    return { port: tcp.port, stop: async () => void (await Promise.all([tcp.stop(), udp.stop()])) };
  } catch (error) {
    await tcp.stop();
    throw error;
  }
}

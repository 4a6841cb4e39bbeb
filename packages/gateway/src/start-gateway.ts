import type { Client } from "@coxswain/client";
import { createRateLimitingQueue, runWorkers, type WorkResult } from "@coxswain/client/queue";
import type { Runtime } from "@coxswain/runtime";
import { groupPorts } from "./controller/group-ports.js";
import { type AssignedAddresses, type GatewayAddresses, planAddresses } from "./controller/plan-addresses.js";
import type { PortOutcome } from "./controller/plan-statuses.js";
import { watchWorld } from "./controller/watch-world.js";
import { writeStatuses } from "./controller/write-statuses.js";
import { createBuiltInEngine } from "./data-plane/built-in-engine.js";
import type { BackendNetwork } from "./engine/backend-network.js";
import type { AccessLog, FailedPort } from "./engine/engine.js";
import { type GatewayPlan, planGateways } from "./plan/plan-gateways.js";
import { planIngresses } from "./plan/plan-ingresses.js";
import type { PlannedListener } from "./plan/planned-listener.js";
import type { World } from "./plan/world.js";

export interface GatewayOptions {
  readonly runtime: Runtime;
  /** Reads Namespaces, Services, EndpointSlices, Secrets of type kubernetes.io/tls, Ingresses, IngressClasses, the Gateway API and its definitions; writes statuses. */
  readonly client: Client;
  readonly network: BackendNetwork;
  /** Called once for each request that is over. @default nobody asks */
  readonly accessLog?: AccessLog;
  /** Of Gateways. Those that share one share its ports. */
  readonly addresses: GatewayAddresses;
  /** Where Ingresses are served. */
  readonly ingress: {
    readonly address: string;
    readonly httpPort: number;
    readonly httpsPort: number;
    /** Those without a class are served, too. @default false */
    readonly withoutClass?: boolean;
  };
  /** One of this machine's own authority for names below localhost. @default there is no such authority */
  readonly localCertificate?: World["localCertificate"];
  /**
   * Of several processes that share their ports one is the first: it writes statuses and serves UDP, whose flows do not follow connections.
   * @default true
   */
  readonly isFirst?: boolean;
  /** Added to the ports of Gateways' listeners, for those who may not listen on ports below 1024. */
  readonly portOffset: number;
}

export interface RunningGateway {
  /** Resolves once everything was read and the first routes are served. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

/** Milliseconds until a port that could not be listened on is tried again. */
const retryMs = 10_000;
const everything = "everything";

/** Serves the Gateways, HTTPRoutes and Ingresses of a cluster. */
export function startGateway(options: GatewayOptions): RunningGateway {
  const {
    runtime,
    client,
    addresses,
    ingress,
    portOffset,
    localCertificate = () => undefined,
    isFirst = true,
  } = options;
  const queue = createRateLimitingQueue<string>({ runtime, name: "gateway" });
  const watched = watchWorld(runtime, client, () => queue.add(everything));
  const engine = createBuiltInEngine({ ...options, endpointsOf: watched.endpointsOf });

  async function reconcile(): Promise<WorkResult> {
    const world: World = { localCertificate, ...watched.world() };
    const plan = planGateways(world);
    const fromIngresses = planIngresses(world, {
      http: ingress.httpPort,
      https: ingress.httpsPort,
      withoutClass: ingress.withoutClass ?? false,
    });
    const chosen = planAddresses(
      plan.gateways.map(({ gateway }) => gateway),
      addresses,
    );
    const assignedTo = (owner: string): AssignedAddresses => chosen.get(owner) ?? none;
    const addressesOf = (owner: string): readonly string[] =>
      owner === "ingress" ? [ingress.address] : assignedTo(owner).addresses;
    const grouped = groupPorts([...servedBy(plan), ...fromIngresses.listeners], {
      addressesOf,
      portOf: (listener) => (listener.owner === "ingress" ? listener.port : listener.port + portOffset),
      redirectPorts: { http: 80 + portOffset, https: 443 + portOffset },
    });
    const failed = await engine.apply(
      isFirst ? grouped.ports : grouped.ports.filter(({ protocol }) => protocol !== "udp"),
    );
    const outcomeOf = outcomes(grouped.refused, failed, (one) =>
      addressesOf(one.owner).map((address) => `${address} ${one.port + portOffset}`),
    );
    const { ingresses } = fromIngresses;
    const { address: ingressAddress } = ingress;
    if (isFirst)
      await writeStatuses(runtime, client, { plan, ingresses, world, assignedTo, ingressAddress, outcomeOf });
    // What keeps a port busy ends without an event of ours.
    return failed.length > 0 ? { requeueAfterMs: retryMs } : undefined;
  }

  const onError = (error: unknown): void =>
    runtime.log.warn("routes cannot be served and are planned again", { error });
  const working = new AbortController();
  const ready = watched.ready.then(async () => {
    await reconcile();
    queue.add(everything);
  });
  ready.catch(() => {}); // stopped before: an error for those who wait for it, and nobody else
  const workers = ready.then(
    () => runWorkers({ queue, work: reconcile, signal: working.signal, onError, runtime }),
    () => undefined,
  );
  return {
    ready,
    async stop() {
      working.abort();
      await watched.stop();
      await workers;
      await engine.close();
    },
  };
}

const none: AssignedAddresses = { addresses: [], unusable: [] };

/** Of Gateways that are accepted, with their ListenerSets. */
const servedBy = ({ gateways }: GatewayPlan): PlannedListener[] =>
  gateways
    .filter(({ conditions }) => conditions.some(({ type, status }) => type === "Accepted" && status === "True"))
    .flatMap(({ listeners, sets }) => [...listeners, ...sets.flatMap((set) => set.listeners ?? [])])
    .flatMap(({ served }) => served ?? []);

function outcomes(
  refused: readonly PlannedListener[],
  failed: readonly FailedPort[],
  socketsOf: (listener: PlannedListener) => readonly string[],
): PortOutcome {
  const errors = new Map(failed.map(({ wanted, error }) => [`${wanted.address} ${wanted.port}`, error]));
  const others = new Set(refused.map(({ owner, name }) => `${owner} ${name}`));
  return (listener) => {
    if (others.has(`${listener.owner} ${listener.name}`)) return "the port is in use with another protocol";
    for (const socket of socketsOf(listener)) {
      const error = errors.get(socket);
      if (error) return `cannot listen on ${socket.replace(" ", ":")}: ${error.code ?? error.message}`;
    }
    return undefined;
  };
}

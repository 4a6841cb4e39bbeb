import type { Node } from "@coxswain/api/core/v1";
import type { Client } from "@coxswain/client";
import { createSharedInformer } from "@coxswain/client/informers";
import { runProgram } from "@coxswain/component/programs";
import type { Runtime } from "@coxswain/runtime";
import type { Timer } from "@coxswain/runtime/clock";
import { type PodRoutesFacts, parseRoutes, planPodRoutes, planRouteChanges } from "./plan-pod-routes.js";

export interface PodRoutesOptions extends PodRoutesFacts {
  /** May list and watch nodes. */
  readonly client: Client;
}

/** By this number our routes are known from others' (rtnetlink(7), `rtm_protocol`); unassigned in iproute2's rt_protos. */
const protocol = "205";
/** Milliseconds until routes that could not be written are tried again. */
const retryMs = 5000;

/** Keeps this machine's routes to the pods of other nodes, until it is stopped; the routes stay then. */
export function followPodRoutes(runtime: Runtime, options: PodRoutesOptions): { stop(): Promise<void> } {
  const { log, ioClock: clock } = runtime;
  const nodes = createSharedInformer<Node>({ listerWatcher: options.client.core.v1.nodes(), runtime });
  const state = { isWanted: false, isStopped: false };
  let running: Promise<void> | undefined;
  let retry: Timer | undefined;
  const ip = (...args: string[]): Promise<string> => runProgram(clock, ["ip", "-4", "route", ...args], "");

  async function writeRoutes(): Promise<void> {
    // By the link's own network: another cluster on this machine has routes of the same kind.
    const there = parseRoutes(await ip("show", "proto", protocol)).filter(
      ({ via }) => planPodRoutes([routeNode(via)], { ...options, nodeName: undefined }).length > 0,
    );
    const { write, remove } = planRouteChanges(there, planPodRoutes(nodes.indexer.list(), options));
    for (const network of remove) await ip("delete", network, "proto", protocol);
    for (const { network, via } of write) await ip("replace", network, "via", via, "proto", protocol);
  }

  async function run(): Promise<void> {
    while (state.isWanted && !state.isStopped) {
      state.isWanted = false;
      await writeRoutes().catch((error: unknown) => {
        log.warn("routes to pods cannot be written and are tried again", { error });
        retry?.cancel();
        retry = clock.setTimer(retryMs, wake);
      });
    }
    running = undefined;
  }
  const wake = (): void => {
    state.isWanted = true;
    if (!state.isStopped) running ??= run();
  };
  nodes.addHandler({ onAdd: wake, onUpdate: wake, onDelete: wake });
  nodes.start();
  return {
    async stop() {
      state.isStopped = true;
      retry?.cancel();
      await nodes.stop();
      await running;
    },
  };
}

const routeNode = (via: string): Node => ({
  spec: { podCIDRs: ["0.0.0.0/32"] },
  status: { addresses: [{ type: "InternalIP", address: via }] },
});

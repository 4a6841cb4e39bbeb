import type { Ingress } from "@coxswain/api/networking/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { equalJson } from "@coxswain/apimachinery/json";
import type { Client } from "@coxswain/client";
import type { Runtime } from "@coxswain/runtime";
import { type GatewayClass, gatewayGroup, type Route } from "../objects/gateway-objects.js";
import { fails, holds } from "../plan/conditions.js";
import { type GatewayPlan, isOurClass } from "../plan/plan-gateways.js";
import { supportedFeatures } from "../plan/supported-features.js";
import { keyOf, type World } from "../plan/world.js";
import type { AssignedAddresses } from "./plan-addresses.js";
import {
  type PortOutcome,
  planGatewayStatus,
  planListenerSetStatus,
  planPolicyStatus,
  planRouteStatus,
  stamp,
} from "./plan-statuses.js";

export interface StatusWrites {
  readonly plan: GatewayPlan;
  readonly ingresses: readonly DeepReadonly<Ingress>[];
  readonly world: World;
  assignedTo(owner: string): AssignedAddresses;
  readonly ingressAddress: string;
  readonly outcomeOf: PortOutcome;
}

/** Writes the statuses that differ. One that cannot be written is logged; the change that made it so plans anew. */
export async function writeStatuses(runtime: Runtime, client: Client, writes: StatusWrites): Promise<void> {
  const { plan, world, assignedTo, outcomeOf } = writes;
  const now = runtime.clock.now();
  const write = async (resource: string, object: Written, status: object | undefined): Promise<void> => {
    if (status === undefined || equalJson(object.status ?? {}, status)) return;
    const { namespace, name = "" } = object.metadata;
    await client
      .dynamic<Written>({ group: gatewayGroup, version: "v1", resource }, namespace)
      .subresource<Written>("status")
      .patch(name, { merge: { status } as never })
      .catch((error: unknown) => runtime.log.debug("a status was not written", { resource, namespace, name, error }));
  };
  for (const gatewayClass of world.classes.filter(isOurClass))
    await write("gatewayclasses", gatewayClass, classStatus(gatewayClass, now));
  for (const planned of plan.gateways) {
    const assigned = assignedTo(`gateway ${keyOf(planned.gateway)}`);
    await write("gateways", planned.gateway, planGatewayStatus(planned, { assigned, outcomeOf, now }));
    for (const set of planned.sets)
      await write("listenersets", set.set, planListenerSetStatus(set, { outcomeOf, now }));
  }
  for (const [resource, routes] of routesOf(world))
    for (const route of routes) await write(resource, route, planRouteStatus(route, plan.routes.get(route) ?? [], now));
  for (const policy of plan.policies) await write("backendtlspolicies", policy.policy, planPolicyStatus(policy, now));
  for (const ingress of writes.ingresses) await writeIngress(runtime, client, ingress, writes.ingressAddress);
}

const routesOf = (world: World): readonly (readonly [resource: string, routes: readonly Route[]])[] => [
  ["httproutes", world.httpRoutes],
  ["grpcroutes", world.grpcRoutes],
  ["tlsroutes", world.tlsRoutes],
  ["tcproutes", world.tcpRoutes],
  ["udproutes", world.udpRoutes],
];

interface Written {
  readonly metadata: { readonly namespace?: string; readonly name?: string };
  readonly status?: object;
}

function classStatus({ metadata, spec, status }: GatewayClass, now: number): NonNullable<GatewayClass["status"]> {
  const accepted =
    spec.parametersRef === undefined
      ? holds("Accepted")
      : fails("Accepted", "InvalidParameters", "parameters of GatewayClasses are not supported");
  return {
    conditions: stamp([accepted], status?.conditions, { generation: metadata.generation ?? 0, now }),
    supportedFeatures: supportedFeatures.map((name) => ({ name })),
  };
}

async function writeIngress(
  runtime: Runtime,
  client: Client,
  { metadata, status }: DeepReadonly<Ingress>,
  ip: string,
): Promise<void> {
  const known = status?.loadBalancer?.ingress ?? [];
  if (known.length === 1 && known[0]?.ip === ip) return;
  await client.networking.v1
    .ingresses(metadata?.namespace)
    .subresource<Ingress>("status")
    .patch(metadata?.name ?? "", { merge: { status: { loadBalancer: { ingress: [{ ip }] } } } })
    .catch((error: unknown) =>
      runtime.log.debug("a status was not written", { ingress: keyOf({ metadata } as never), error }),
    );
}

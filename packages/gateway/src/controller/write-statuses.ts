import type { Ingress } from "@coxswain/api/networking/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { equalJson } from "@coxswain/apimachinery/json";
import type { Client } from "@coxswain/client";
import type { Runtime } from "@coxswain/runtime";
import { controllerName, type GatewayClass, gatewayGroup } from "../objects/gateway-objects.js";
import { holds } from "../plan/conditions.js";
import type { GatewayPlan } from "../plan/plan-gateways.js";
import { keyOf, type World } from "../plan/world.js";
import { type PortOutcome, planGatewayStatus, planRouteStatus, stamp } from "./plan-statuses.js";

export interface StatusWrites {
  readonly plan: GatewayPlan;
  readonly ingresses: readonly DeepReadonly<Ingress>[];
  readonly world: World;
  addressOf(owner: string): string;
  readonly outcomeOf: PortOutcome;
}

/** Writes the statuses that differ. One that cannot be written is logged; the change that made it so plans anew. */
export async function writeStatuses(runtime: Runtime, client: Client, writes: StatusWrites): Promise<void> {
  const { plan, world, addressOf, outcomeOf } = writes;
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
  for (const gatewayClass of world.classes.filter(({ spec }) => spec.controllerName === controllerName))
    await write("gatewayclasses", gatewayClass, classStatus(gatewayClass, now));
  for (const planned of plan.gateways) {
    const address = addressOf(`gateway ${keyOf(planned.gateway)}`);
    await write("gateways", planned.gateway, planGatewayStatus(planned, { address, outcomeOf, now }));
  }
  for (const route of world.httpRoutes)
    await write("httproutes", route, planRouteStatus(route, plan.routes.get(keyOf(route)) ?? [], now));
  for (const ingress of writes.ingresses) await writeIngress(runtime, client, ingress, addressOf("ingress"));
}

interface Written {
  readonly metadata: { readonly namespace?: string; readonly name?: string };
  readonly status?: object;
}

const classStatus = ({ metadata, status }: GatewayClass, now: number): object => ({
  ...status,
  conditions: stamp([holds("Accepted")], status?.conditions, { generation: metadata.generation ?? 0, now }),
});

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

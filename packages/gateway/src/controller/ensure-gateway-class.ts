import { isAlreadyExists } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import { hasCondition, waitFor } from "@coxswain/client/wait";
import type { Runtime } from "@coxswain/runtime";
import { controllerName, type GatewayClass, gatewayGroup } from "../objects/gateway-objects.js";

/** Makes a GatewayClass of ours, unless there is one of this name. Its definition may have been made just now: it is served once it is established. */
export async function ensureGatewayClass(runtime: Runtime, client: Client, name: string): Promise<void> {
  const definitions = client.apiextensions.v1.customresourcedefinitions();
  await waitFor(definitions, `gatewayclasses.${gatewayGroup}`, hasCondition("Established"), { runtime });
  const classes = client.dynamic<GatewayClass>({ group: gatewayGroup, version: "v1", resource: "gatewayclasses" });
  const made = {
    apiVersion: `${gatewayGroup}/v1`,
    kind: "GatewayClass",
    metadata: { name },
    spec: { controllerName },
  };
  try {
    await classes.create(made as never);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

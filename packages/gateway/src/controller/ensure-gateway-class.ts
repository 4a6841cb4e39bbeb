import { isAlreadyExists, isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import type { Runtime } from "@coxswain/runtime";
import { slept } from "@coxswain/runtime/wait";
import { controllerName, type GatewayClass, gatewayGroup } from "../objects/gateway-objects.js";

/** Milliseconds between attempts while a definition that was just made is not served yet. */
const retryMs = 50;

/** Makes a GatewayClass of ours, unless there is one of this name. */
export async function ensureGatewayClass(runtime: Pick<Runtime, "clock">, client: Client, name: string): Promise<void> {
  const classes = client.dynamic<GatewayClass>({ group: gatewayGroup, version: "v1", resource: "gatewayclasses" });
  const made = {
    apiVersion: `${gatewayGroup}/v1`,
    kind: "GatewayClass",
    metadata: { name },
    spec: { controllerName },
  };
  for (let attempt = 0; attempt < 100; attempt++)
    try {
      await classes.create(made as never);
      return;
    } catch (error) {
      if (isAlreadyExists(error)) return;
      if (!isNotFound(error)) throw error;
      await slept(retryMs, runtime);
    }
}

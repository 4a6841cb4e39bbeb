import { isAlreadyExists } from "@coxswain/apimachinery/status";
import type { ApiServer } from "@coxswain/apiserver";
import type { Client } from "@coxswain/client";
import { controllerName, type RunningGateway, startGateway } from "@coxswain/gateway";
import type { Runtime } from "@coxswain/runtime";

const address = "127.0.0.1";

/** Serves Ingresses, which are of our class unless they name another, and Gateways on loopback. Port 80 of a Gateway is served on `port`, others as far behind it. */
export async function serveGateway(
  runtime: Runtime,
  { client, network, port }: { readonly client: Client; readonly network: ApiServer["network"]; readonly port: number },
): Promise<RunningGateway> {
  await ensureIngressClass(client);
  const gateway = startGateway({
    runtime,
    client,
    network,
    addresses: { kind: "single", address },
    ingress: { address, httpPort: port, httpsPort: port + 443 - 80 },
    portOffset: port - 80,
  });
  await gateway.ready;
  return gateway;
}

async function ensureIngressClass(client: Client): Promise<void> {
  try {
    await client.networking.v1.ingressclasses().create({
      metadata: { name: "coxswain", annotations: { "ingressclass.kubernetes.io/is-default-class": "true" } },
      spec: { controller: controllerName },
    });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

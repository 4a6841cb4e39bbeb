import { isAlreadyExists } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import {
  applyDefinitions,
  type BackendNetwork,
  controllerName,
  ensureGatewayClass,
  type GatewayAddresses,
  type GatewayOptions,
  type RunningGateway,
  startGateway,
} from "@coxswain/gateway";
import type { Runtime } from "@coxswain/runtime";

const address = "127.0.0.1";

export interface GatewayServing {
  readonly client: Client;
  readonly network: BackendNetwork;
  /** Of Ingresses on loopback; those with certificates are as far behind it as 443 is behind 80. */
  readonly port: number;
  /** @default that far behind */
  readonly httpsPort?: number;
  /** Undefined: Gateways are on loopback, too; their port 80 is served on `port`, others as far behind it. */
  readonly addresses: GatewayAddresses | undefined;
  /** Signs for names below localhost; undefined: nobody does. */
  readonly localCertificate: GatewayOptions["localCertificate"] | undefined;
  /** Makes the definitions of the Gateway API and a GatewayClass, where they are not there. */
  readonly withDefinitions: boolean;
}

/** Serves Ingresses, which are of our class unless they name another, and Gateways on this machine. */
export async function serveGateway(
  runtime: Runtime,
  { client, network, port, httpsPort = port + 443 - 80, addresses, localCertificate, withDefinitions }: GatewayServing,
): Promise<RunningGateway> {
  await ensureIngressClass(client);
  if (withDefinitions) {
    await applyDefinitions(client);
    await ensureGatewayClass(runtime, client, "coxswain");
  }
  const gateway = startGateway({
    runtime,
    client,
    network,
    addresses: addresses ?? { kind: "single", address },
    ingress: { address, httpPort: port, httpsPort, withoutClass: true },
    ...(localCertificate && { localCertificate }),
    portOffset: addresses ? 0 : port - 80,
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

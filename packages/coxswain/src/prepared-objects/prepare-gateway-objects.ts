import { type PreparedObjects, prepareWith } from "@coxswain/apiserver";
import { hasCondition, waitFor } from "@coxswain/client/wait";
import { createInProcessClients, gatewayUser } from "@coxswain/cluster";
import { applyDefinitions, ensureGatewayClass, socketsOnly, startGateway } from "@coxswain/gateway";

const admin = { name: "kubernetes-admin", groups: ["system:masters"] };
const name = "coxswain";
const address = "127.0.0.1";

/** The Gateway API's definitions and policy, established, and a GatewayClass of ours that is accepted, as a server stores them. */
export const prepareGatewayObjects = (): Promise<PreparedObjects> =>
  prepareWith(async (server, runtime) => {
    const clientOf = createInProcessClients({ server, runtime, dropsManagedFields: true });
    const client = clientOf(admin, "kubectl");
    await applyDefinitions(client);
    const definitions = client.apiextensions.v1.customresourcedefinitions();
    for (const { metadata } of (await definitions.list()).items)
      await waitFor(definitions, metadata?.name ?? "", hasCondition("Established"), { runtime });
    const ofGateway = clientOf(gatewayUser, "coxswain-gateway");
    await ensureGatewayClass(runtime, ofGateway, name);
    const gateway = startGateway({
      runtime,
      client: ofGateway,
      network: socketsOnly,
      addresses: { kind: "single", address },
      ingress: { address, httpPort: 0, httpsPort: 0 },
      portOffset: 0,
    });
    const classes = client.dynamic({ group: "gateway.networking.k8s.io", version: "v1", resource: "gatewayclasses" });
    await waitFor(classes, name, hasCondition("Accepted"), { runtime });
    await gateway.stop();
  }, isOfGateways);

const isOfGateways = (key: string): boolean =>
  key.endsWith(".gateway.networking.k8s.io") || key.includes("/gateway.networking.k8s.io/");

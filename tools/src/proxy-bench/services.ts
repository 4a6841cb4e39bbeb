import { type Api, inParallel } from "./api.js";

const dotted = (beginning: string, at: number): string => `${beginning}.${(at >> 8) & 255}.${at & 255}`;

/** The address of the service with this number; the first ones are left to the cluster's own. */
export const serviceAddress = (at: number): string => dotted("10.96", at + 256);

const endpoints = (addresses: readonly string[]): object[] =>
  addresses.map((address) => ({
    addresses: [address],
    conditions: { ready: true, serving: true, terminating: false },
  }));

const sliceOf = (at: number, addresses: readonly string[]): object => ({
  metadata: { name: `svc-${at}`, labels: { "kubernetes.io/service-name": `svc-${at}` } },
  addressType: "IPv4",
  ports: [{ name: "http", port: 8080, protocol: "TCP" }],
  endpoints: endpoints(addresses),
});

const slices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";

/** Services with two endpoints each. */
export async function createServices(api: Api, count: number): Promise<void> {
  await inParallel(count, async (at) => {
    await api.send("POST", "/api/v1/namespaces/default/services", {
      metadata: { name: `svc-${at}` },
      spec: { clusterIP: serviceAddress(at), ports: [{ name: "http", port: 80, targetPort: 8080, protocol: "TCP" }] },
    });
    await api.send("POST", slices, sliceOf(at, [dotted("10.200", at), dotted("10.201", at)]));
  });
}

/** The service's endpoints are this address alone. */
export const moveService = (api: Api, at: number, address: string): Promise<unknown> =>
  api.send("PUT", `${slices}/svc-${at}`, sliceOf(at, [address]));

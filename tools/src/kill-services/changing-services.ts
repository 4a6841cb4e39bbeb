import type { Api } from "../proxy-bench/api.js";

/** A service of the run and where connections to it end now. */
export interface ChangingService {
  readonly name: string;
  readonly address: string;
  /** Pods that are its endpoints; none: connections are refused. */
  readonly endpoints: readonly ("a" | "b")[];
}

const podAddresses = { a: "10.0.1.2", b: "10.0.2.2" } as const;
const services = "/api/v1/namespaces/default/services";
const slices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";

/** The port that every one of these services has, and that of its endpoints. */
export const servicePort = 80;

export interface ServiceOptions {
  readonly targetPort: number;
  readonly nodePort?: number;
}

const sliceOf = ({ name, endpoints }: ChangingService, { targetPort }: ServiceOptions): object => ({
  metadata: { name, labels: { "kubernetes.io/service-name": name } },
  addressType: "IPv4",
  ports: [{ name: "p", port: targetPort, protocol: "TCP" }],
  endpoints: endpoints.map((pod) => ({
    addresses: [podAddresses[pod]],
    nodeName: pod === "a" ? "here" : "there",
    conditions: { ready: true, serving: true, terminating: false },
  })),
});

export async function createService(api: Api, service: ChangingService, options: ServiceOptions): Promise<void> {
  const { targetPort, nodePort } = options;
  await api.send("POST", services, {
    metadata: { name: service.name },
    spec: {
      type: nodePort === undefined ? "ClusterIP" : "NodePort",
      clusterIP: service.address,
      ports: [{ name: "p", port: servicePort, targetPort, ...(nodePort !== undefined && { nodePort }) }],
    },
  });
  await api.send("POST", slices, sliceOf(service, options));
}

export const updateService = (api: Api, service: ChangingService, options: ServiceOptions): Promise<unknown> =>
  api.send("PUT", `${slices}/${service.name}`, sliceOf(service, options));

export async function deleteService(api: Api, { name }: ChangingService): Promise<void> {
  await api.send("DELETE", `${slices}/${name}`);
  await api.send("DELETE", `${services}/${name}`);
}

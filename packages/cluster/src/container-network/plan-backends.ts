import type { Endpoint } from "@coxswain/api/endpoint-slices";
import type { Records } from "@coxswain/dns";

/** Pure: where a connection may go. A service's endpoints by its cluster IP; any other address is its own only place. */
export function planBackends(records: Records, address: string, port: number): readonly Endpoint[] {
  const service = records.serviceByClusterIp(address);
  if (!service) return [{ address, port }];
  const served = service.ports.find((one) => one.port === port && one.protocol === "tcp");
  if (!served) return [];
  return [...records.slices(service.namespace, service.name)].flatMap(({ ports, endpoints }) => {
    const target = ports.find(({ name, protocol }) => name === served.name && protocol === "tcp");
    return target ? endpoints.map((endpoint) => ({ address: endpoint.address, port: target.port })) : [];
  });
}

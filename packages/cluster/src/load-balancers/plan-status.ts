import type { LoadBalancerIngress, Service } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { keyOf, type LoadBalancerPlan, type RefusedPort, type WantedListener } from "./load-balancer-plan.js";

/** What `status.loadBalancer.ingress` is to be; empty: no address. */
export function planIngress(
  service: DeepReadonly<Service>,
  plan: LoadBalancerPlan,
  failed: readonly RefusedPort[],
): LoadBalancerIngress[] {
  const key = keyOf(service);
  const ip = plan.addresses.get(key);
  if (ip === undefined) return [];
  const problems = [...plan.refused, ...failed].filter((one) => one.service === key);
  const ports = (service.spec?.ports ?? []).map(({ port, protocol = "TCP" }) => {
    const error = problems.find((one) => one.port === port && one.protocol === protocol)?.error;
    return { port, protocol, ...(error !== undefined && { error }) };
  });
  // Proxy: nobody else may take connections to the address for the service, as kube-proxy does with those of mode VIP.
  return [{ ip, ipMode: "Proxy", ports }];
}

/** A port whose `listen` failed. */
export function failedPort(
  { service, address, port, transport: protocol }: WantedListener,
  cause: NodeJS.ErrnoException,
): RefusedPort {
  const { error, message } = listenError(cause);
  return { service, port, protocol, error, message: `Cannot listen on ${address}:${port}/${protocol}: ${message}` };
}

/** Words for `ports[].error` and for events. */
function listenError({ code }: NodeJS.ErrnoException): { readonly error: string; readonly message: string } {
  switch (code) {
    case "EADDRINUSE":
      return { error: "PortInUse", message: "another program listens there" };
    case "EACCES":
    case "EPERM":
      return {
        error: "PortNotPermitted",
        message: "ports below 1024 need root, or sysctl net.ipv4.ip_unprivileged_port_start=0",
      };
    case "EADDRNOTAVAIL":
      return { error: "AddressNotAvailable", message: "this machine does not have the address" };
  }
  return { error: "ListenFailed", message: code ?? "unknown error" };
}

/** What the health check of a load balancer reads at a service's healthCheckNodePort (pkg/proxy/healthcheck/service_health.go, `hcHandler`). */
export function serviceHealthPage(
  service: string,
  { localEndpoints, isProxyHealthy }: { localEndpoints: number; isProxyHealthy: boolean },
): { readonly status: 200 | 503; readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const [namespace = "", name = ""] = service.split("/");
  return {
    status: localEndpoints > 0 && isProxyHealthy ? 200 : 503,
    headers: {
      "content-type": "application/json",
      "x-content-type-options": "nosniff",
      "x-load-balancing-endpoint-weight": String(localEndpoints),
    },
    body: [
      "{",
      `\t"service": {`,
      `\t\t"namespace": ${JSON.stringify(namespace)},`,
      `\t\t"name": ${JSON.stringify(name)}`,
      "\t},",
      `\t"localEndpoints": ${localEndpoints},`,
      `\t"serviceProxyHealthy": ${isProxyHealthy}`,
      "}",
    ].join("\n"),
  };
}

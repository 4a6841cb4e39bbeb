// The data plane alone, in a process of its own: node gateway-process.js PORT BACKEND_PORT ROUTES. SIGUSR2: the routes are changed.
import { createBuiltInEngine, type HttpPort, noChanges, type RoutedRule, socketsOnly } from "@coxswain/gateway";
import { systemRuntime } from "@coxswain/runtime";

const [port, backendPort, routes] = process.argv.slice(2).map(Number) as [number, number, number];
const runtime = systemRuntime();
const endpoints = [{ address: "127.0.0.1", port: backendPort }];
const engine = createBuiltInEngine({ runtime, network: socketsOnly, endpointsOf: () => endpoints });

const rule = (status: number | undefined): RoutedRule => ({
  route: "HTTPRoute default/bench",
  name: "",
  protocol: "http",
  changes: status === undefined ? noChanges : { ...noChanges, redirect: { statusCode: status } },
  backends: [
    {
      weight: 1,
      changes: noChanges,
      destination: {
        kind: "service",
        target: { namespace: "default", service: "bench", portName: "" },
        protocol: "http1",
        tls: undefined,
      },
    },
  ],
  timeouts: { requestMs: 0, backendRequestMs: 0 },
  retry: undefined,
  session: undefined,
});

const forward = rule(undefined);
const entry = (path: string, at: number, one: RoutedRule): HttpPort["listeners"][number]["entries"][number] => ({
  hostname: "",
  isOneLabel: false,
  match: { path: { type: "PathPrefix", value: path } },
  rule: one,
  route: { createdAt: "", name: `default/${at}`, index: 0 },
});
const ports = (changing: RoutedRule): HttpPort[] => [
  {
    protocol: "http",
    address: "127.0.0.1",
    port,
    redirectPorts: { http: 80, https: 443 },
    listeners: [
      {
        name: "bench/http",
        hostname: "",
        entries: [
          ...Array.from({ length: routes }, (_, at) => entry(`/route-${at}`, at, forward)),
          entry("/changed", routes, changing),
          entry("/", routes + 1, forward),
        ],
      },
    ],
  },
];
const [failed] = await engine.apply(ports(forward));
if (failed) throw failed.error;
process.on("SIGUSR2", () => void engine.apply(ports(rule(302))));
process.once("SIGTERM", () => void engine.close().then(() => process.exit(0)));
process.send?.("ready");

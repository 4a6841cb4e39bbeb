import { defineFlags } from "@coxswain/component/flags";
import { logFlags } from "../command/log-flags.js";

const port = { type: "integer", min: 1, max: 65_535, value: "port" } as const;

export const gatewayFlags = defineFlags({
  kubeconfig: {
    group: "Cluster",
    type: "string",
    value: "file",
    help: "How to reach the API server. Its user reads namespaces, services, endpointslices, secrets, ingresses, the Gateway API and its definitions, and writes statuses. Default: the service account of the pod it runs in.",
  },
  "bind-address": {
    group: "Serving",
    type: "string",
    default: "127.0.0.1",
    value: "address",
    help: "The address of Ingresses and of all Gateways. Only this machine reaches the default.",
  },
  "http-port": { group: "Serving", ...port, default: 8080, help: "The port of Ingresses." },
  "https-port": { group: "Serving", ...port, default: 8443, help: "The port of Ingresses with certificates." },
  "port-offset": {
    group: "Serving",
    type: "integer",
    default: 8000,
    min: 0,
    max: 64_000,
    value: "n",
    help: "Added to the ports of Gateways' listeners: 80 is served on 8080. 0 needs the right to listen on low ports.",
  },
  "gateway-addresses": {
    group: "Serving",
    type: "string",
    value: "first-last",
    help: "A range of IPv4 addresses of this machine, such as 127.65.0.1-127.65.255.254: each Gateway gets one of its own. Default: all share --bind-address and its ports.",
  },
  processes: {
    group: "Serving",
    type: "integer",
    default: 1,
    min: 1,
    max: 256,
    value: "n",
    help: "Serve by so many processes, one for each core that may be used. UDP is served by the first of them.",
  },
  "access-log": {
    group: "Serving",
    type: "boolean",
    default: false,
    help: "Logs a line for each request: client, method, host, target, route, endpoint, status, bytes and milliseconds.",
  },
  ...logFlags,
});

import type { Service, ServicePort } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { pod } from "../pod/pod.test.support.js";
import { serviceVariables } from "./service-variables.js";

const service = (namespace: string, name: string, clusterIP: string, ports: ServicePort[]): Service => ({
  metadata: { namespace, name },
  spec: { clusterIP, ports },
});
const api = service("default", "kubernetes", "10.96.0.1", [{ name: "https", port: 443, protocol: "TCP" }]);
const web = service("default", "my-web", "10.96.0.5", [
  { name: "http-alt", port: 80, protocol: "TCP" },
  { port: 53, protocol: "UDP" },
]);
const all = [
  api,
  web,
  service("default", "headless", "None", [{ port: 1 }]),
  service("other", "x", "10.96.0.9", [{ port: 1 }]),
];

describe("variables of services", () => {
  it("are those of the pod's namespace, with all ports", () =>
    expect(Object.fromEntries(serviceVariables(pod(), [web]))).toEqual({
      MY_WEB_SERVICE_HOST: "10.96.0.5",
      MY_WEB_SERVICE_PORT: "80",
      MY_WEB_SERVICE_PORT_HTTP_ALT: "80",
      MY_WEB_PORT: "tcp://10.96.0.5:80",
      MY_WEB_PORT_80_TCP: "tcp://10.96.0.5:80",
      MY_WEB_PORT_80_TCP_PROTO: "tcp",
      MY_WEB_PORT_80_TCP_PORT: "80",
      MY_WEB_PORT_80_TCP_ADDR: "10.96.0.5",
      MY_WEB_PORT_53_UDP: "udp://10.96.0.5:53",
      MY_WEB_PORT_53_UDP_PROTO: "udp",
      MY_WEB_PORT_53_UDP_PORT: "53",
      MY_WEB_PORT_53_UDP_ADDR: "10.96.0.5",
    }));
  const hosts = (...args: Parameters<typeof pod>): string[] =>
    [...serviceVariables(pod(...args), all).keys()].filter((name) => name.endsWith("_SERVICE_HOST"));
  it("leave out services without an address, and those of other namespaces", () =>
    expect(hosts()).toEqual(["KUBERNETES_SERVICE_HOST", "MY_WEB_SERVICE_HOST"]));
  it("have the API server in every namespace", () =>
    expect(hosts({}, { namespace: "other" })).toEqual(["KUBERNETES_SERVICE_HOST", "X_SERVICE_HOST"]));
  it("have only the API server where the pod wants no links", () =>
    expect(hosts({ enableServiceLinks: false })).toEqual(["KUBERNETES_SERVICE_HOST"]));
});

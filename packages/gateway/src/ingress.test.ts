import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect } from "node:tls";
import type { Ingress } from "@coxswain/api/networking/v1";
import { createAuthority, createServerIdentity, encodePrivateKey } from "@coxswain/wire/x509";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { groupPorts } from "./controller/group-ports.js";
import type { BuiltInEngine } from "./data-plane/built-in-engine.js";
import { createBuiltInEngine } from "./data-plane/built-in-engine.js";
import { exchange, freePort, portOf, runtime } from "./data-plane/engine.test.support.js";
import type { ServerCertificate } from "./engine/backend.js";
import { socketsOnly } from "./engine/backend-network.js";
import { controllerName } from "./objects/gateway-objects.js";
import { planIngresses } from "./plan/plan-ingresses.js";
import { emptyWorld } from "./plan/world.test.support.js";

const validity = { notBefore: Date.now() - 60_000, notAfter: Date.now() + 3_600_000, random: runtime.random };
const authority = createAuthority({ subject: { commonName: "test" }, ...validity });
function certificateOf(...hosts: string[]): ServerCertificate {
  const { pem, privateKey } = createServerIdentity(authority, { subject: { commonName: "leaf" }, hosts, ...validity });
  return { certificate: pem, key: encodePrivateKey(privateKey) };
}
const inSecret = ({ certificate, key }: ServerCertificate) => ({
  data: { "tls.crt": Buffer.from(certificate).toString("base64"), "tls.key": Buffer.from(key).toString("base64") },
});

const backend = { service: { name: "web", port: { number: 80 } } };
const ingress = (name: string, spec: Ingress["spec"]): Ingress => ({
  metadata: { name, namespace: "default" },
  spec: { ingressClassName: "ours", ...spec },
});
const rule = (host: string) => ({ host, http: { paths: [{ path: "/", pathType: "Prefix" as const, backend }] } });

/** The chain alone: names are compared below. */
const checkServerIdentity = (): undefined => undefined;

/** What is not seen in the routing table alone: the behaviours "host_rules" and "load_balancing" of the ingress controllers' conformance suite. */
describe("requests of Ingresses", () => {
  const pods: Server[] = [];
  let engine: BuiltInEngine;
  let ports: { http: number; https: number };

  beforeAll(async () => {
    for (let pod = 0; pod < 3; pod++) {
      const server = createServer((_, response) => response.end(`pod-${pod}`)).listen(0, "127.0.0.1");
      await once(server, "listening");
      pods.push(server);
    }
    ports = { http: await freePort(), https: await freePort() };
    const secrets = new Map([
      ["default/first", inSecret(certificateOf("foo.bar.com"))],
      ["default/wild", inSecret(certificateOf("*.foo.com"))],
    ]);
    const planned = planIngresses(
      {
        ...emptyWorld,
        ingressClasses: [{ metadata: { name: "ours" }, spec: { controller: controllerName } }],
        ingresses: [
          ingress("first", { tls: [{ hosts: ["foo.bar.com"], secretName: "first" }], rules: [rule("foo.bar.com")] }),
          ingress("wild", { tls: [{ hosts: ["*.foo.com"], secretName: "wild" }], rules: [rule("*.foo.com")] }),
          ingress("local", { rules: [rule("web.localhost"), rule("shop.localhost"), rule("plain.test")] }),
        ],
        service: (namespace, name) => ({ metadata: { namespace, name }, spec: { ports: [{ port: 80 }] } }),
        secret: (namespace, name) => secrets.get(`${namespace}/${name}`),
        localCertificate: (hosts) => certificateOf(...hosts),
      },
      { ...ports, withoutClass: false },
    );
    engine = createBuiltInEngine({
      runtime,
      network: socketsOnly,
      endpointsOf: () => pods.map((pod) => ({ address: "127.0.0.1", port: portOf(pod) })),
    });
    const grouped = groupPorts(planned.listeners, {
      addressesOf: () => ["127.0.0.1"],
      portOf: ({ port }) => port,
      redirectPorts: ports,
    });
    const [failed] = await engine.apply(grouped.ports);
    if (failed) throw failed.error;
  });
  afterAll(async () => {
    await engine.close();
    for (const pod of pods) pod.close();
  });

  /** The names of the certificate that is shown, and the answer's status. */
  async function askSecurely(servername: string, host = servername): Promise<{ names: string; status: string }> {
    const socket = connect({
      host: "127.0.0.1",
      port: ports.https,
      servername,
      ca: authority.pem,
      checkServerIdentity,
    });
    await once(socket, "secureConnect");
    const { subjectaltname: names = "" } = socket.getPeerCertificate();
    socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    let text = "";
    for await (const chunk of socket) text += chunk;
    return { names, status: text.split(" ")[1] ?? "" };
  }

  const secure = [
    { name: "a host's own certificate, by its name", host: "foo.bar.com", names: "DNS:foo.bar.com" },
    { name: "a wildcard certificate for a host below it", host: "a.foo.com", names: "DNS:*.foo.com" },
    {
      name: "one of the local authority for names below localhost without a Secret",
      host: "web.localhost",
      names: "DNS:shop.localhost, DNS:web.localhost",
    },
  ];
  for (const { name, host, names } of secure)
    it(`get ${name}`, async () => expect(await askSecurely(host)).toEqual({ names, status: "200" }));

  it("get the first certificate where none is for their host", async () =>
    expect(await askSecurely("plain.test")).toEqual({ names: "DNS:foo.bar.com", status: "200" }));

  it("are found by host where no rule has it, as without TLS: 404", async () =>
    expect(await askSecurely("b.foo.com", "nothing.test")).toMatchObject({ status: "404" }));

  it("reach every pod of the Service, on one connection as on many", async () => {
    const request = "GET / HTTP/1.1\r\nHost: foo.bar.com\r\n";
    const kept = await exchange(ports.http, `${`${request}\r\n`.repeat(99)}${request}Connection: close\r\n\r\n`);
    const single = await Promise.all(
      Array.from({ length: 30 }, () => exchange(ports.http, `${request}Connection: close\r\n\r\n`)),
    );
    for (const text of [kept, single.join("")])
      expect(new Set(text.match(/pod-\d/g))).toEqual(new Set(["pod-0", "pod-1", "pod-2"]));
    expect(kept.match(/pod-\d/g)).toHaveLength(100);
  });
});

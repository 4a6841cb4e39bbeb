import { randomBytes } from "node:crypto";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { createAuthority, createServerIdentity, encodePrivateKey } from "@coxswain/wire/x509";
import { type Attack, repeat, type Target } from "../attack.js";
import { send } from "../send.js";

/** What a server behind this one does with whatever it is asked. */
interface Behaviour {
  readonly name: string;
  /** Requests that wait for it at the same time. @default 8 */
  readonly width?: number;
  readonly listener: RequestListener;
}

const stream: RequestListener = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const go = (): void => {
    while (!response.destroyed && response.write(" ".repeat(65_536)));
    if (!response.destroyed) response.once("drain", go);
  };
  go();
};

const deep = "[".repeat(2_000_000);

const behaviours: readonly Behaviour[] = [
  { name: "never answers", width: 150, listener: () => {} },
  { name: "answers with garbage", listener: (_, response) => void response.end("{]\u0000 garbage") },
  { name: "streams for ever", listener: stream },
  { name: "answers with two million brackets", listener: (_, response) => void response.end(deep) },
  {
    name: "redirects to this server",
    listener: (request, response) =>
      void response.writeHead(307, { location: `https://127.0.0.1:${request.socket.localPort}${lair}` }).end(),
  },
];

/** Where redirects lead: an address on this machine that nobody else asks for. */
const lair = "/lair";
const group = "hostile.example.com";
const apiService = `/apis/apiregistration.k8s.io/v1/apiservices`;
const services = "/api/v1/namespaces/default/services";
const hooks = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

/** An aggregated API server, registered by a user who may, and asked all the time by that user. */
const aggregated = ({ name, width = 8, listener }: Behaviour): Attack => ({
  name: `an aggregated API server that ${name}`,
  run: (target, signal) =>
    withBackend(target, answeringChecks(listener), async ({ port }) => {
      await send(target, "POST", services, {
        metadata: { name: "hostile" },
        spec: { type: "ExternalName", externalName: "127.0.0.1" },
      });
      await send(target, "POST", apiService, {
        metadata: { name: `v1.${group}` },
        spec: {
          group,
          version: "v1",
          groupPriorityMinimum: 1,
          versionPriority: 1,
          insecureSkipTLSVerify: true,
          service: { namespace: "default", name: "hostile", port },
        },
      });
      await repeat(signal, width, () => send(target, "GET", `/apis/${group}/v1/things`, undefined, signal));
      await send(target, "DELETE", `${apiService}/v1.${group}`);
      await send(target, "DELETE", `${services}/hostile`);
    }),
});

/** Else nobody would be handed on to it. */
const answeringChecks =
  (listener: RequestListener): RequestListener =>
  (request, response) =>
    request.url === `/apis/${group}/v1` ? void response.end("{}") : listener(request, response);

/** A webhook for ConfigMaps of one label, which only that user's have. */
const webhook = ({ name, width = 8, listener }: Behaviour): Attack => ({
  name: `a webhook that ${name}`,
  run: (target, signal) =>
    withBackend(target, listener, async ({ port, caBundle }) => {
      await send(target, "POST", hooks, {
        metadata: { name: "hostile" },
        webhooks: [
          {
            name: "hook.hostile.example.com",
            clientConfig: { url: `https://127.0.0.1:${port}/`, caBundle },
            rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
            objectSelector: { matchLabels: { hostile: "yes" } },
            sideEffects: "None",
            admissionReviewVersions: ["v1"],
            timeoutSeconds: 30,
          },
        ],
      });
      const map = { metadata: { generateName: "hostile-", labels: { hostile: "yes" } } };
      await repeat(signal, width, () => send(target, "POST", "/api/v1/namespaces/default/configmaps", map, signal));
      await send(target, "DELETE", `${hooks}/hostile`);
    }),
});

export const backendAttacks: readonly Attack[] = [...behaviours.map(aggregated), ...behaviours.map(webhook)];

/** Resolves to what the backend got that it should not have: credentials that are not its own, and requests by redirects. */
async function withBackend(
  { token }: Target,
  listener: RequestListener,
  use: (backend: { readonly port: number; readonly caBundle: string }) => Promise<void>,
): Promise<readonly string[]> {
  const loot = new Set<string>();
  const looking: RequestListener = (request, response) => {
    if (request.rawHeaders.some((text) => text.includes(token))) loot.add("a backend got the token of a user");
    if (request.headers.authorization !== undefined) loot.add("a backend got an Authorization header");
    if (request.url?.startsWith(lair)) loot.add("a redirect was followed");
    listener(request, response);
  };
  const now = Date.now();
  const life = { notBefore: now - 60_000, notAfter: now + 3_600_000, random: { bytes: randomBytes } };
  const authority = createAuthority({ ...life, subject: { commonName: "hostile" } });
  const identity = createServerIdentity(authority, {
    ...life,
    subject: { commonName: "hostile" },
    hosts: ["127.0.0.1"],
  });
  const server = createServer({ cert: identity.pem, key: encodePrivateKey(identity.privateKey) }, looking);
  const sockets = new Set<Duplex>();
  server.on("connection", (socket) => void sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    await use({ port, caBundle: Buffer.from(authority.pem).toString("base64") });
    return [...loot];
  } finally {
    server.close();
    for (const socket of sockets) socket.destroy();
  }
}

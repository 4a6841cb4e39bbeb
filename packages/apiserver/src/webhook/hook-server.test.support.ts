import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { systemRandom } from "@coxswain/apimachinery/random";
import { createAuthority, createServerIdentity, encodePrivateKey } from "@coxswain/wire/x509";

/** What a webhook answers to a body: an object, a text as it is, or undefined for no answer at all. */
export type HookAnswer = (body: Review, request: IncomingMessage, response: ServerResponse) => unknown;

export interface Review {
  readonly apiVersion: string;
  readonly request: { readonly uid: string } & Readonly<Record<string, unknown>>;
}

export interface HookServer {
  readonly host: string;
  readonly port: number;
  /** PEM in base64, as a configuration has it. */
  readonly caBundle: string;
  /** From now on requests for the path are answered so. */
  on(path: string, answer: HookAnswer): void;
  /** Connections that were made. */
  connections(): number;
  stop(): Promise<void>;
}

/** An HTTPS server with a certificate of its own authority, for webhooks. */
export async function startHookServer(hosts: readonly string[] = ["127.0.0.1"]): Promise<HookServer> {
  const life = { notBefore: Date.now() - 60_000, notAfter: Date.now() + 600_000, random: systemRandom };
  const ca = createAuthority({ ...life, subject: { commonName: "ca" } });
  const identity = createServerIdentity(ca, { ...life, subject: { commonName: "hook" }, hosts: [...hosts] });
  const answers = new Map<string, HookAnswer>();
  let connections = 0;
  const server = createServer(
    { cert: identity.pem, key: encodePrivateKey(identity.privateKey) },
    (request, response) =>
      void text(request).then((body) => {
        const answer = answers.get(new URL(request.url ?? "", "https://hook").pathname);
        if (!answer) return void response.writeHead(404).end("no such hook");
        const given = answer(JSON.parse(body) as Review, request, response);
        if (given === undefined) return;
        response.setHeader("content-type", "application/json");
        response.end(typeof given === "string" ? given : JSON.stringify(given));
      }),
  );
  server.on("secureConnection", () => void (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    port,
    caBundle: Buffer.from(ca.pem).toString("base64"),
    on: (path, answer) => void answers.set(path, answer),
    connections: () => connections,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An AdmissionReview that answers another. */
export const reviewed = ({ apiVersion, request: { uid } }: Review, response: object): object => ({
  apiVersion,
  kind: "AdmissionReview",
  response: { uid, ...response },
});

/** An answer with a JSON patch. */
export const patched = (review: Review, operations: readonly object[]): object =>
  reviewed(review, {
    allowed: true,
    patchType: "JSONPatch",
    patch: Buffer.from(JSON.stringify(operations)).toString("base64"),
  });

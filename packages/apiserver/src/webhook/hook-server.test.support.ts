import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { startHttpsServer } from "./https-server.test.support.js";

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
  const answers = new Map<string, HookAnswer>();
  const server = await startHttpsServer(
    (request, response) =>
      void text(request).then((body) => {
        const answer = answers.get(new URL(request.url ?? "", "https://hook").pathname);
        if (!answer) return void response.writeHead(404).end("no such hook");
        const given = answer(JSON.parse(body) as Review, request, response);
        if (given === undefined) return;
        response.setHeader("content-type", "application/json");
        response.end(typeof given === "string" ? given : JSON.stringify(given));
      }),
    { hosts },
  );
  let connections = 0;
  server.https.on("secureConnection", () => void (connections += 1));
  return {
    host: `127.0.0.1:${server.port}`,
    port: server.port,
    caBundle: server.caBundle,
    on: (path, answer) => void answers.set(path, answer),
    connections: () => connections,
    stop: () => server.stop(),
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

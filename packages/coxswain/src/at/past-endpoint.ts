import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import type { Transport, TransportResponse } from "@coxswain/client";
import { planPastRequest } from "./plan-past-request.js";

export interface PastEndpoint {
  /** With a secret in its path: a client that has it reads as the user of the transport. */
  readonly url: string;
  close(): void;
}

/**
 * Serves a cluster as it was at a revision, read-only, on a loopback port. Other users of this machine and web pages do not know the
 * path, and a page's name for this address is not ours (DNS rebinding).
 */
export async function servePast(transport: Transport, revision: number): Promise<PastEndpoint> {
  const secret = `/${randomBytes(16).toString("hex")}`;
  let host = "";
  const server = createServer((request, response) => {
    const isOurs = request.headers.host === host && (request.url ?? "").startsWith(`${secret}/`);
    if (!isOurs) return void response.writeHead(404).end();
    answer({ transport, revision, request, response, url: (request.url ?? "").slice(secret.length) }).catch(
      (error: unknown) => {
        if (!response.headersSent) sendStatus(response, 502, (error as Error).message, "BadGateway");
        else response.destroy();
      },
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}${secret}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Exchange {
  readonly transport: Transport;
  readonly revision: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: string;
}

async function answer({ transport, revision, request, response, url }: Exchange): Promise<void> {
  const { pathname: path, searchParams } = new URL(url, "http://past");
  const query = [...searchParams.entries()];
  const plan = planPastRequest({ method: request.method ?? "", path, query }, revision);
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const accept = request.headers.accept ?? "application/json";
  const ask = (to: string, asked: readonly (readonly [string, string])[], forms = accept) =>
    transport.send({ method: "GET", path: to, query: asked, headers: { accept: forms }, signal: gone.signal });
  switch (plan.do) {
    case "refuse":
      return sendStatus(response, 405, plan.message, "MethodNotAllowed");
    case "pass":
      return sendOn(response, await ask(path, query));
    case "list":
      return sendOn(response, await ask(path, plan.query));
    case "get": {
      // Only forms that are JSON: one object is taken out of the list.
      const forms = accept.split(",").filter((form) => /^\s*application\/json\b/.test(form));
      const found = await ask(plan.path, plan.query, forms.join(",") || "application/json");
      if (found.status !== 200) return sendOn(response, found);
      const one = onlyItem((await found.value()) as FoundList);
      if (one === undefined)
        return sendStatus(response, 404, `${plan.resource} "${plan.name}" not found at r${revision}`, "NotFound");
      sendJson(response, 200, one);
    }
  }
}

interface FoundList {
  readonly kind: string;
  readonly apiVersion: string;
  readonly items?: readonly object[];
  readonly rows?: readonly unknown[];
}

function onlyItem(list: FoundList): unknown {
  if (list.kind === "Table") return (list.rows ?? []).length === 0 ? undefined : list;
  const [item] = list.items ?? [];
  return item && { apiVersion: list.apiVersion, kind: list.kind.replace(/List$/, ""), ...item };
}

async function sendOn(response: ServerResponse, found: TransportResponse): Promise<void> {
  response.writeHead(found.status, { "content-type": found.header("content-type") ?? "application/json" });
  await pipeline(found.stream(), response);
}

function sendJson(response: ServerResponse, code: number, value: unknown): void {
  response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(value));
}

const sendStatus = (response: ServerResponse, code: number, message: string, reason: string): void =>
  sendJson(response, code, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason,
    code,
  });

import { setTimeout as sleep } from "node:timers/promises";
import type { Content, Operation, Outcome, Request, SeenObject } from "../history/operation.js";
import { labelMember, seenObject } from "../history/stored-object.js";
import type { ApiAnswer, ApiConnection, ApiRequest } from "./api-connection.js";

/** Milliseconds by the one clock of a history. */
export const now = (): number => performance.now();

const pageSize = 4;

/** Sends the requests of one client to one API server, or to what stands before several, and records what became of each. */
export interface Sender {
  readonly server: number;
  perform(id: string, asked: Request): Promise<Operation>;
}

/** @param answerTo throws where nobody answers */
export function createSender(server: number, answerTo: (asked: Request) => Promise<Outcome>): Sender {
  return {
    server,
    async perform(id, asked) {
      const began = now();
      const outcome = await answerTo(asked).catch(
        (error: Error): Outcome => ({ kind: "unknown", reason: error.message }),
      );
      return { id, server, request: asked, outcome, began, ended: now() };
    },
  };
}

/** One that repeats nothing. @param client its member in the objects, and its name as a field manager */
export interface PlainSender extends Sender {
  readonly connection: ApiConnection;
}

export const createPlainSender = (server: number, client: string, connection: ApiConnection): PlainSender => ({
  ...createSender(server, (asked) => answerTo(connection, asked, client)),
  connection,
});

async function answerTo(connection: ApiConnection, asked: Request, client: string): Promise<Outcome> {
  return asked.verb === "list"
    ? list(connection, asked)
    : outcomeOf(asked, await connection.call(planRequest(asked, client)));
}

/** Pure: the request over HTTP. */
export function planRequest(asked: Exclude<Request, { verb: "list" }>, client: string): ApiRequest {
  const path = `/${asked.key}`;
  switch (asked.verb) {
    case "create":
      return { method: "POST", path: "", body: objectOf(asked.key, asked.content) };
    case "replace":
      return { method: "PUT", path, body: objectOf(asked.key, asked.content, asked.expected) };
    case "merge": {
      const { metadata, data } = objectOf(asked.key, asked.content);
      return {
        method: "PATCH",
        path,
        body: { metadata: { labels: metadata.labels }, data },
        contentType: "application/merge-patch+json",
      };
    }
    case "apply": {
      const query = `?fieldManager=${client}&force=true`;
      const body = { apiVersion: "v1", kind: "ConfigMap", ...objectOf(asked.key, asked.content) };
      return { method: "PATCH", path: path + query, body, contentType: "application/apply-patch+yaml" };
    }
    case "delete": {
      const { expected, uid } = asked;
      const preconditions = {
        ...(expected !== undefined && { resourceVersion: String(expected) }),
        ...(uid !== undefined && { uid }),
      };
      return { method: "DELETE", path, body: { apiVersion: "v1", kind: "DeleteOptions", preconditions } };
    }
    case "get":
      return { method: "GET", path: path + queryOf(asked.read) };
  }
}

function objectOf(name: string, data: Content, expected?: number) {
  const labels = { [labelMember]: data[labelMember] ?? "" };
  return { metadata: { name, labels, ...(expected !== undefined && { resourceVersion: String(expected) }) }, data };
}

function queryOf(read: Extract<Request, { verb: "get" }>["read"]): string {
  if (read === "newest") return "?";
  if (read === "any") return "?resourceVersion=0";
  if ("exactly" in read) return `?resourceVersion=${read.exactly}&resourceVersionMatch=Exact`;
  return `?resourceVersion=${read.notOlderThan}`;
}

/**
 * Pure: what an answer means. A refusal is certain with a code of the 400s, with 503, which is for stores that did nothing, and
 * with Retry-After, upon which clients send a write again.
 */
export function outcomeOf(asked: Request, { code, retryAfter, body }: ApiAnswer): Outcome {
  const reason = `${code} ${body.reason ?? ""} ${body.message ?? ""}`.trim();
  if (code < 300 && asked.verb === "delete")
    return { kind: "done", deletedUid: body.details?.uid ?? body.metadata?.uid ?? "" };
  if (code < 300 && body.metadata)
    return { kind: "done", object: seenObject(body as Parameters<typeof seenObject>[0]) };
  if (code === 404) return { kind: "absent" };
  if (code === 409) return { kind: "conflict" };
  const isCertain = (code >= 400 && code < 500 && code !== 408) || code === 503 || retryAfter !== undefined;
  return { kind: isCertain ? "refused" : "unknown", reason };
}

/** In pages: all of them are of the first one's revision. */
async function list(connection: ApiConnection, { read }: Extract<Request, { verb: "list" }>): Promise<Outcome> {
  const objects: SeenObject[] = [];
  let revision: string | undefined;
  let query = `${queryOf(read)}&limit=${pageSize}`;
  for (;;) {
    const { code, body } = await connection.call({ method: "GET", path: query });
    if (code !== 200) return { kind: "refused", reason: `${code} ${body.reason ?? ""} ${body.message ?? ""}` };
    const { resourceVersion, continue: next } = body.metadata as { resourceVersion?: string; continue?: string };
    objects.push(...(body.items ?? []).map(seenObject));
    revision ??= resourceVersion;
    // A page of another revision would make the objects of two moments one list: then the list names no revision at all.
    if (resourceVersion !== revision) revision = "0";
    if (!next) return { kind: "listed", revision: Number(revision), objects };
    query = `?limit=${pageSize}&continue=${encodeURIComponent(next)}`;
    await sleep(5); // others write meanwhile
  }
}

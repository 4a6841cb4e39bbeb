import { setTimeout as sleep } from "node:timers/promises";
import { encodeJson, stringifyJson } from "@coxswain/apimachinery/json";
import { inOneOrder } from "../oracle/in-one-order.js";
import { maskChance } from "../oracle/mask.js";
import { type Json, type JsonObject, normalise, type RecordedAnswer, type Requester } from "../record/index.js";
import type { Manifest } from "./read-manifests.js";

/** What a server answered to every question about a project, by sentence. */
export type Answers = ReadonlyMap<string, RecordedAnswer>;

export interface ProjectContents {
  /** A namespace for its objects. */
  readonly namespace: string;
  readonly definitions: readonly JsonObject[];
  readonly samples: readonly Sample[];
}

/** An object of one of the definitions. */
export interface Sample extends Manifest {
  /** Unique within the project. */
  readonly sentence: string;
  /** Of the collection, without the server. */
  readonly collection: string;
  readonly name: string;
}

const longestWaitMs = 30_000;
const betweenMs = 50;
const largestSought = 100_000;

/** Applies the definitions, makes each object, reads it, applies it as somebody else would, and takes it away again. */
export async function playProject(
  { namespace, definitions, samples }: ProjectContents,
  request: Requester,
): Promise<Answers> {
  const answers = new Map<string, RecordedAnswer>();
  const ask = async (sentence: string, asked: Asked): Promise<number> => {
    const given = await send(request, asked);
    const answer = { ...given, body: inOneOrder(given.body) };
    // What stands in the request is never replaced; looking for it takes too long in a large one.
    const sent = asked.body === undefined ? "" : stringifyJson(asked.body);
    const text = sent.length > largestSought ? "" : sent;
    const [comparable] = normalise([{ step: { name: sentence, method: "", path: "" }, ...answer }], text);
    if (comparable) answers.set(sentence, maskChance(comparable, text));
    return answer.status;
  };
  await send(request, {
    method: "POST",
    path: "/api/v1/namespaces",
    body: { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
  });
  const served: string[] = [];
  for (const definition of definitions) {
    const name = nameOf(definition);
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    if ((await ask(`define ${name}`, { method: "POST", path, body: definition })) >= 300) continue;
    await untilServed(request, definition);
    await ask(`read ${name}`, { method: "GET", path: `${path}/${name}` });
    served.push(...documentsOf(definition));
  }
  for (const path of new Set(served)) {
    await until(async () => (await send(request, { method: "GET", path })).status === 200);
    await ask(`explain ${path}`, { method: "GET", path });
  }
  for (const { sentence, collection, name, object } of samples) {
    const own = `${collection}/${name}`;
    const made = await ask(`create ${sentence}`, { method: "POST", path: collection, body: object });
    if (made < 300) await ask(`read ${sentence}`, { method: "GET", path: own });
    await ask(`apply ${sentence}`, {
      method: "PATCH",
      path: `${own}?dryRun=All&force=true&fieldManager=somebody`,
      type: "application/apply-patch+yaml",
      body: object,
    });
    if (made < 300) await remove(request, own);
  }
  return answers;
}

const nameOf = ({ metadata }: JsonObject): string => String((metadata as JsonObject)["name"]);

const versionsOf = (definition: JsonObject): JsonObject[] =>
  ((definition["spec"] as JsonObject)["versions"] as JsonObject[]).filter(({ served }) => served === true);

/** Where kubectl explain looks. */
const documentsOf = (definition: JsonObject): string[] =>
  versionsOf(definition).map(
    ({ name }) => `/openapi/v3/apis/${String((definition["spec"] as JsonObject)["group"])}/${String(name)}`,
  );

/** Until every version can be listed and the definition is no longer written to. */
async function untilServed(request: Requester, definition: JsonObject): Promise<void> {
  const spec = definition["spec"] as JsonObject;
  const plural = String((spec["names"] as JsonObject)["plural"]);
  for (const version of versionsOf(definition)) {
    const path = `/apis/${String(spec["group"])}/${String(version["name"])}/${plural}`;
    await until(async () => (await send(request, { method: "GET", path })).status === 200);
  }
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${nameOf(definition)}`;
  const isProtected = [".k8s.io", ".kubernetes.io"].some((domain) => String(spec["group"]).endsWith(domain));
  const conditions = ["Established", ...(isProtected ? ["KubernetesAPIApprovalPolicyConformant"] : [])];
  await until(async () => {
    const { body } = await send(request, { method: "GET", path });
    const status = (body as JsonObject)["status"] as JsonObject | undefined;
    const held = ((status?.["conditions"] ?? []) as JsonObject[]).filter(({ status: is }) => is === "True");
    return conditions.every((wanted) => held.some(({ type }) => type === wanted));
  });
}

/** Gives up after a while: the answers then differ. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + longestWaitMs;
  while (!(await holds()) && performance.now() < end) await sleep(betweenMs);
}

async function remove(request: Requester, path: string): Promise<void> {
  const release = {
    method: "PATCH",
    path,
    type: "application/merge-patch+json",
    body: { metadata: { finalizers: null } },
  };
  await send(request, release);
  await send(request, { method: "DELETE", path });
}

interface Asked {
  readonly method: string;
  readonly path: string;
  /** @default application/json */
  readonly type?: string;
  readonly body?: Json;
}

async function send(request: Requester, { method, path, type = "application/json", body }: Asked) {
  const answer = await request({
    method,
    path,
    headers: {
      accept: "application/json",
      "user-agent": "coxswain-oracle/1",
      ...(body !== undefined && { "content-type": type }),
    },
    signal: new AbortController().signal,
    ...(body !== undefined && { body: encodeJson(body) }),
  });
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of answer.body) text += decoder.decode(chunk, { stream: true });
  text += decoder.decode();
  return { status: answer.status, headers: answer.headers, body: parse(text) };
}

function parse(text: string): Json | undefined {
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text; // not JSON: compared as it is
  }
}

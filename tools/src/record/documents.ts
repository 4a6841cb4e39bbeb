// node tools/dist/record/documents.js
// Fetches discovery and OpenAPI from the real kube-apiserver, without prose, into packages/apiserver/testdata/documents.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { stopOnSignal } from "../upstream/index.js";
import type { Json, JsonObject } from "./json.js";
import { withoutDescriptions } from "./openapi-document.js";
import { startOracle } from "./oracle.js";
import type { Requester } from "./player.js";

const folder = resolve(dirname(fileURLToPath(import.meta.url)), "../../../packages/apiserver/testdata/documents");
const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

type Fetch = (path: string, accept?: string) => Promise<{ document: JsonObject; headers: Record<string, string> }>;

function createFetch(request: Requester): Fetch {
  return async (path, accept = "application/json") => {
    const answer = await request({ method: "GET", path, headers: { accept }, signal: AbortSignal.timeout(60_000) });
    const body = await text(answer.body);
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${body.slice(0, 200)}`);
    const headers = Object.fromEntries(
      ["etag", "content-type"].map((name) => [name, String(answer.headers[name] ?? "")]),
    );
    return { document: JSON.parse(body) as JsonObject, headers };
  };
}

/** Every document by its path; the aggregated ones with the headers that belong to them. */
async function recordDiscovery(fetch: Fetch): Promise<Json> {
  const groups = (await fetch("/apis")).document["groups"] as { name: string; versions: { groupVersion: string }[] }[];
  const paths = ["/version", "/api", "/apis", "/api/v1"];
  for (const group of groups)
    paths.push(`/apis/${group.name}`, ...group.versions.map((version) => `/apis/${version.groupVersion}`));
  const legacy: Record<string, Json> = {};
  for (const path of paths) legacy[path] = (await fetch(path)).document;
  // The port is chosen anew each time; without it a second recording equals the first.
  legacy["/api"] = {
    ...(legacy["/api"] as JsonObject),
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: "127.0.0.1:6443" }],
  };
  const both: Record<string, Json> = {};
  for (const path of ["/api", "/apis"]) both[path] = await fetch(path, aggregated);
  return { legacy, aggregated: both };
}

async function recordOpenApiV3(fetch: Fetch, wanted: (path: string) => boolean): Promise<JsonObject> {
  const index = (await fetch("/openapi/v3")).document["paths"] as Record<string, { serverRelativeURL: string }>;
  const documents: Record<string, Json> = {};
  for (const [path, { serverRelativeURL }] of Object.entries(index)) {
    if (wanted(path)) documents[path] = withoutDescriptions((await fetch(serverRelativeURL)).document);
  }
  return documents;
}

/** What a custom resource adds. The definition is part of the recording, so that the test can serve the same. */
async function recordCustomResource(request: Requester, fetch: Fetch): Promise<Json> {
  const definition = JSON.parse(readFileSync(join(folder, "custom-resource-definition.json"), "utf8")) as JsonObject;
  const group = "stable.example.com";
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const headers = { "content-type": "application/json" };
  const body = Buffer.from(JSON.stringify(definition));
  await text((await request({ method: "POST", path, headers, body, signal: AbortSignal.timeout(60_000) })).body);
  const isThere = async (): Promise<boolean> => {
    const { document } = await fetch("/openapi/v2");
    return Object.keys(document["paths"] as object).some((name) => name.startsWith(`/apis/${group}/`));
  };
  for (let attempt = 0; !(await isThere()); attempt++) {
    if (attempt > 60) throw new Error(`the documents of ${group} did not appear within a minute`);
    await sleep(1_000);
  }
  const discovery: Record<string, Json> = {};
  for (const name of [`/apis/${group}`, `/apis/${group}/v1`, `/apis/${group}/v1beta1`])
    discovery[name] = (await fetch(name)).document;
  const list = (await fetch("/apis", aggregated)).document["items"] as { metadata: { name: string } }[];
  const v2 = withoutDescriptions((await fetch("/openapi/v2")).document) as {
    paths: JsonObject;
    definitions: JsonObject;
  };
  const ours = (members: JsonObject, prefix: string): JsonObject =>
    Object.fromEntries(Object.entries(members).filter(([name]) => name.startsWith(prefix)));
  return {
    discovery,
    aggregated: list.find((item) => item.metadata.name === group) as unknown as Json,
    v3: await recordOpenApiV3(fetch, (name) => name.startsWith(`apis/${group}`)),
    v2: { paths: ours(v2.paths, `/apis/${group}`), definitions: ours(v2.definitions, "com.example.stable") },
  };
}

function write(name: string, value: Json): void {
  // gzip's header carries no time unless it is given a file, so equal documents are equal files.
  const bytes = gzipSync(JSON.stringify(value), { level: 9 });
  writeFileSync(join(folder, name), bytes);
  console.log(`${name} ${bytes.length} bytes`);
}

const starting = startOracle();
stopOnSignal(() =>
  starting.then(
    (oracle) => oracle.stop(),
    () => undefined,
  ),
);
const oracle = await starting;
try {
  mkdirSync(folder, { recursive: true });
  const fetch = createFetch(oracle.request);
  write("discovery.json.gz", await recordDiscovery(fetch));
  write("openapi-v3.json.gz", await recordOpenApiV3(fetch, () => true));
  write("openapi-v2.json.gz", withoutDescriptions((await fetch("/openapi/v2")).document));
  write("custom-resource.json.gz", await recordCustomResource(oracle.request, fetch));
} finally {
  await oracle.stop();
}

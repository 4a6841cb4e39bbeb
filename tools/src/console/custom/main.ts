import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { projects, readProject } from "../../crds/index.js";
import type { JsonObject } from "../../record/index.js";
import { findChromium, openBrowser } from "../open-browser.js";
import { startOwn } from "../servers/start-own.js";
import { startUpstream } from "../servers/start-upstream.js";
import { takePictures } from "../take-pictures.js";
import { type CustomKind, chooseKind, withoutConversion } from "./choose-kinds.js";
import { type CustomServer, openServer } from "./custom-server.js";
import { playKind } from "./play-kind.js";

const usage = `npm run tool -- console-crds [--server NAME] [--pictures DIR] [project …]

Applies the definitions of custom resources of ${projects.length} projects to a cluster of its own, and an object of each kind that the
server takes. Each is then listed in the console (the server's own columns and cells), edited and saved, and changed to what the
server refuses: its words must be in the editor. Kinds without an object that the server takes are named.

  --server NAME    ours (default), or upstream: kube-apiserver
  --pictures DIR   keep pictures of a table and an editor of each project
`;

const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
/** A server may have some from the beginning. */
const exists = 409;
const longestMs = 60_000;
const betweenMs = 200;

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      server: { type: "string", default: "ours" },
      pictures: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return Number(!process.stdout.write(usage));
  const chromium = findChromium();
  if (chromium === undefined)
    throw new Error("there is no chromium: apt-get install chromium, or set COXSWAIN_CHROMIUM");
  const wanted = projects.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const home = mkdtempSync(join(tmpdir(), "coxswain-console-crds-"));
  const cluster = await (values.server === "upstream" ? startUpstream : startOwn)(home);
  const server = await openServer(cluster.kubeconfig);
  const browser = await openBrowser(chromium);
  try {
    const kinds: CustomKind[] = [];
    for (const project of wanted) kinds.push(...(await define(server, project)));
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(cluster.link);
    await page.locator(".navigation").waitFor({ timeout: longestMs });
    return await playAll(page, server, kinds, values.pictures);
  } finally {
    await browser.close();
    await server.stop();
    await cluster.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

/** The project's definitions on the server, and its kinds as the server shows them. */
async function define(server: CustomServer, project: (typeof projects)[number]): Promise<CustomKind[]> {
  const { namespace, definitions, samples } = await readProject(project);
  await server.send("POST", "/api/v1/namespaces", {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: namespace },
  });
  const taken: JsonObject[] = [];
  for (const definition of definitions) {
    const { status, value } = await server.send("POST", definitionsPath, withoutConversion(definition));
    if (status < 300 || status === exists) taken.push(definition);
    else console.log(`  ${project.name}: ${String(value["message"]).slice(0, 200)}`);
  }
  const versions = await preferredVersions(server, taken);
  const objects = samples.map(({ object }) => object);
  return taken.flatMap(
    (definition) =>
      chooseKind({ project: project.name, namespace, samples: objects }, definition, (plural, group) =>
        versions.get(`${plural}.${group}`),
      ) ?? [],
  );
}

interface Discovered {
  readonly resources: readonly { readonly name: string }[];
}

/** By `plural.group`, once all are served. */
async function preferredVersions(
  server: CustomServer,
  definitions: readonly JsonObject[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const names = definitions.map(({ metadata }) => String((metadata as JsonObject)["name"]));
  const end = performance.now() + longestMs;
  while (names.some((name) => !found.has(name)) && performance.now() < end) {
    for (const group of new Set(names.map((name) => name.slice(name.indexOf(".") + 1)))) {
      const { status, value } = await server.send("GET", `/apis/${group}`);
      if (status !== 200) continue;
      for (const { version } of value["versions"] as unknown as readonly { version: string }[]) {
        const { value: list } = await server.send("GET", `/apis/${group}/${version}`);
        for (const { name } of (list as unknown as Partial<Discovered>).resources ?? [])
          if (!found.has(`${name}.${group}`)) found.set(`${name}.${group}`, version);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, betweenMs));
  }
  return found;
}

async function playAll(
  page: Page,
  server: CustomServer,
  kinds: readonly CustomKind[],
  pictures: string | undefined,
): Promise<number> {
  const good = new Map<string, number>();
  let failed = 0;
  for (const kind of kinds) {
    const object = await createObject(server, kind);
    if (object === undefined) continue;
    try {
      await playKind(page, server, kind, object);
      if (pictures !== undefined && !good.has(kind.project))
        await takePictures(page, pictures, `custom ${kind.project}`);
      good.set(kind.project, (good.get(kind.project) ?? 0) + 1);
      console.log(`✓ ${kind.project}: ${kind.definition} ${kind.version}`);
    } catch (error) {
      failed++;
      console.log(
        `✗ ${kind.project}: ${kind.definition} ${kind.version}: ${(error as Error).message.split("\n").slice(0, 3).join(" ")}`,
      );
      await page.reload();
      await page.locator(".navigation").waitFor({ timeout: longestMs });
    }
  }
  const total = [...good.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `\n${total} kinds of ${good.size} projects listed, edited and validated, ${failed} failed; ${kinds.length - total - failed} without an object`,
  );
  return failed === 0 ? 0 : 1;
}

/** The first of the candidates that the server takes. */
async function createObject(server: CustomServer, kind: CustomKind): Promise<JsonObject | undefined> {
  const { group, version, plural, namespace, candidates } = kind;
  const collection = `/apis/${group}/${version}${namespace === "" ? "" : `/namespaces/${namespace}`}/${plural}`;
  let refusal = "";
  for (const candidate of candidates) {
    const { status, value } = await server.send("POST", collection, candidate);
    if (status < 300) return candidate;
    refusal = String(value["message"]);
  }
  console.log(`– ${kind.project}: ${kind.definition}: ${refusal.slice(0, 160)}`);
  return undefined;
}

process.exitCode = await run();

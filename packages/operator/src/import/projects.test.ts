import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import { isStatusError } from "@coxswain/apimachinery/status";
import { startCluster } from "@coxswain/testkit";
import { projects, readProject } from "@coxswain/tools/crds";
import { describeWith } from "@coxswain/tools/needs";
import { expect, it, vi } from "vitest";
import { compileModules } from "./compiled-modules.test.support.js";
import { definitionModules, type GeneratedModule } from "./definition-modules.js";

type JsonObject = Record<string, unknown>;

/** `npm run tool -- imports`: types of the custom resources of other projects, from their Go modules, and their sample objects checked against them. */
const wanted = process.env["COXSWAIN_IMPORTS"];
const chosen = projects.filter(({ name }) => wanted === "all" || wanted?.split(",").includes(name) === true);

describeWith(
  "types of other projects' definitions",
  { found: chosen.length > 0, missing: "COXSWAIN_IMPORTS=all and Go (npm run tool -- imports)", timeout: 600_000 },
  () => {
    for (const project of chosen)
      it(project.name, async () => {
        const { definitions, samples } = await readProject(project);
        const modules = (definitions as unknown as CustomResourceDefinition[]).flatMap(definitionModules);
        expect(modules.length).toBeGreaterThan(0);
        const accepted = await acceptedSamples(definitions as unknown as CustomResourceDefinition[], samples);
        const errors = compileModules([
          ...modules,
          ...accepted.map((object, index) => sampleModule(object, modules, index)),
        ]);
        console.info(
          `${project.name}: ${definitions.length} definitions, ${modules.length} modules, ${samples.length} samples, ${accepted.length} of them accepted by the server`,
        );
        expect(errors).toEqual([]);
      });
  },
);

/** Modules hold objects that are meant to be wrong, too: those count that the server takes under strict field validation. */
async function acceptedSamples(
  definitions: readonly CustomResourceDefinition[],
  samples: readonly { collection: string; object: JsonObject }[],
): Promise<JsonObject[]> {
  const cluster = await startCluster({ nodes: 0, controllers: [] });
  for (const definition of definitions)
    await cluster.client.apiextensions.v1.customresourcedefinitions().create(definition);
  await vi.waitFor(async () => {
    const { items } = await cluster.client.apiextensions.v1.customresourcedefinitions().list();
    const established = items.filter(({ status }) =>
      status?.conditions?.some(({ type, status: value }) => type === "Established" && value === "True"),
    );
    expect(established.length).toBe(definitions.length);
  }, 120_000);
  const accepted: JsonObject[] = [];
  for (const { collection, object } of samples) {
    const [, group = "", version = "", namespace, resource = ""] =
      /^\/apis\/([^/]+)\/([^/]+)\/(namespaces\/[^/]+\/)?(.+)$/.exec(collection) ?? [];
    const client = cluster.client.dynamic(
      { group, version, resource },
      namespace === undefined ? undefined : "default",
    );
    const { namespace: _, ...metadata } = object["metadata"] as JsonObject;
    const isAccepted = await client.create({ ...object, metadata }, { dryRun: true, fieldValidation: "Strict" }).then(
      () => true,
      (error: unknown) => {
        // A project's conversion webhook does not run here: objects in versions that are not stored cannot be made.
        if (isStatusError(error) && (error.status.code < 500 || error.message.startsWith("conversion webhook")))
          return false;
        throw error;
      },
    );
    if (isAccepted) accepted.push(withoutNulls(object) as JsonObject);
  }
  await cluster.stop();
  return accepted;
}

/** The server drops a null that the schema does not allow. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutNulls(inner)]));
}

function sampleModule(
  object: Record<string, unknown>,
  modules: readonly GeneratedModule[],
  index: number,
): GeneratedModule {
  const [apiVersion, kind] = [String(object["apiVersion"]), String(object["kind"])];
  const module = modules.find(
    ({ path, text }) => path.startsWith(`${apiVersion}/`) && text.includes(`kind?: ${JSON.stringify(kind)};`),
  );
  const name = /export interface (\w+) extends/.exec(module?.text ?? "")?.[1] ?? "never";
  const text = `import type { ${name} } from "../${module?.path.replace(/\.ts$/, ".js") ?? ""}";\nexport const sample: ${name} = ${JSON.stringify(object, (_, value: unknown) => (typeof value === "bigint" ? Number(value) : value), 1)};\n`;
  return { path: `samples/sample-${index}.ts`, text };
}

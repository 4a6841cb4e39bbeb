import { fileNameOf, type ScaffoldedKind, sampleFile } from "../../project/kind-names.js";
import type { PlannedFile } from "../../project/write-files.js";
import { withFreeNames } from "./free-names.js";
import { controllerModule } from "./kind-names.js";

/** A controller that does nothing yet but report that it has seen the object. */
export const controllerFiles = (kind: ScaffoldedKind): PlannedFile[] => [
  { path: `${controllerModule(kind)}.ts`, text: controllerText(kind) },
  { path: `${controllerModule(kind)}.test.ts`, text: controllerTest(kind) },
];

/** The variable is named for no kind: one called Class or Default would be a word of JavaScript. */
const controllerText = (scaffolded: ScaffoldedKind): string =>
  withFreeNames(scaffolded, ({ resource, importedResource }) => {
    const { group, version, kind, plural } = scaffolded;
    return `import { generationChanged, type Manager, patchStatus, setCondition } from "@coxswain/operator";
import { ${importedResource} } from "../api/${version}/resources.js";

/**
 * @rbac groups=${group} resources=${plural} verbs=get;list;watch;create;update;patch;delete
 * @rbac groups=${group} resources=${plural}/status verbs=get;update;patch
 * @rbac groups=${group} resources=${plural}/finalizers verbs=update
 */
export function add${kind}Controller(manager: Manager): void {
  manager
    .controller("${kind.toLowerCase()}")
    .for(${resource}, { predicates: [generationChanged] })
    .reconcile(async (request, context) => {
      const object = await context.get(${resource}, request);
      if (!object) return; // deleted

      // Make what object.spec asks for: create what is missing, correct what differs. With its owner, an older state never replaces a newer one:
      // await apply(context, builtIn.apps.v1.deployments, deploymentOf(object), { owner: { resource: ${resource}, object } });

      const ready = {
        type: "Ready",
        status: "True",
        reason: "Reconciled",
        ...(object.metadata?.generation !== undefined && { observedGeneration: object.metadata.generation }),
      };
      const conditions = setCondition(object.status?.conditions, ready, context.now());
      await patchStatus(context, ${resource}, object, { ...object.status, conditions });
    });
}
`;
  });

const controllerTest = (scaffolded: ScaffoldedKind): string =>
  withFreeNames(scaffolded, ({ type, resource, importedType, importedResource }) => {
    const { group, version, kind, plural } = scaffolded;
    return `import { readFileSync } from "node:fs";
import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import { parseYaml } from "@coxswain/apimachinery/yaml";
import { createManager } from "@coxswain/operator";
import { withCluster } from "@coxswain/testkit";
import { expect, it } from "vitest";
import { ${importedResource} } from "../api/${version}/resources.js";
import type { ${importedType} } from "../api/${version}/${fileNameOf(kind)}.js";
import { add${kind}Controller } from "./${fileNameOf(kind)}-controller.js";

const read = (path: string): unknown => parseYaml(readFileSync(new URL(\`../config/\${path}\`, import.meta.url), "utf8")).value;
const definition = read("crd/${plural}.${group}.yaml") as CustomResourceDefinition;
const sample = read("${sampleFile(scaffolded).replace("config/", "")}") as ${type};

it(
  "a new ${kind} becomes ready",
  withCluster(
    async (cluster) => {
      await cluster.client.apiextensions.v1.customresourcedefinitions().create(definition);
      await cluster.settle();
      await cluster.run("operator", (client, world) => {
        const manager = createManager({ client, ...world });
        add${kind}Controller(manager);
        void manager.start().catch(() => {}); // a killed program has nobody to report to
        return manager;
      });
      const objects = cluster.client.dynamic<${type}>(${resource}, "default");
      const { metadata } = await objects.create(sample);
      await cluster.settle();
      expect((await objects.get(metadata?.name ?? "")).status?.conditions).toMatchObject([{ type: "Ready", status: "True" }]);
    },
    { nodes: 0, controllers: [] },
  ),
);
`;
  });

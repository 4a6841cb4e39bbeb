import type { ProjectFacts } from "../../project/init-flags.js";
import { dependenciesOn, furtherDependencies } from "../../project/package-source.js";
import { linkedPackages, testConfig } from "../../project/test-config.js";
import type { PlannedFile } from "../../project/write-files.js";
import { controllersMark, importsMark } from "./add-to-main.js";
import { endToEndFiles } from "./end-to-end-files.js";
import { managerManifests } from "./manager-manifests.js";
import { projectPages } from "./project-pages.js";

/** What `init` writes: a project without kinds. */
export const projectFiles = (facts: ProjectFacts): PlannedFile[] => [
  { path: "package.json", text: packageJson(facts) },
  { path: "tsconfig.json", text: json(tsconfig) },
  { path: "biome.json", text: json(linter) },
  { path: "vitest.config.ts", text: testConfig(facts.source, "{api,controllers,webhooks}/**/*.test.ts") },
  { path: ".gitignore", text: "node_modules/\ndist/\n" },
  { path: "main.ts", text: mainModule(facts) },
  ...projectPages(facts.name),
  ...managerManifests(facts.name),
  ...endToEndFiles(linkedPackages(facts.source)),
];

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

function packageJson({ name, domain, source }: ProjectFacts): string {
  const used = { always: ["api", "operator"], inTests: ["apimachinery", "client", "testkit", "coxswain"] };
  const content = {
    name,
    version: "0.1.0",
    private: true,
    type: "module",
    engines: { node: ">=20.19" },
    // `create api` makes groups below it.
    operator: { domain },
    scripts: {
      generate: "coxswain operator generate",
      lint: "biome lint .",
      test: "coxswain operator test",
      "test:e2e": "vitest run --config test/e2e/vitest.config.ts",
      start: "coxswain operator run",
      build: "coxswain operator build",
    },
    dependencies: dependenciesOn(source, used.always),
    devDependencies: {
      ...dependenciesOn(source, used.inTests),
      ...furtherDependencies(source, [...used.always, ...used.inTests]),
      "@biomejs/biome": "^2.5.15",
      "@types/node": "^20.19.0",
      esbuild: "^0.28.2",
      typescript: "^7.0.2",
      vitest: "^4.1.12",
    },
  };
  return json(content);
}

const tsconfig = {
  compilerOptions: {
    target: "es2023",
    module: "nodenext",
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noUnusedLocals: true,
    skipLibCheck: true,
    // esbuild makes what is run.
    noEmit: true,
    types: ["node"],
  },
  include: ["main.ts", "vitest.config.ts", "api", "controllers", "webhooks", "test"],
};

const linter = {
  files: { includes: ["**", "!dist", "!config"] },
  linter: { enabled: true, rules: { preset: "recommended" } },
};

const mainModule = ({ name, domain }: ProjectFacts): string => `import { runOperator } from "@coxswain/operator/node";
${importsMark}

await runOperator({
  leaderElectionId: "${name}.${domain}",
  setUp(manager) {
    manager.log.info("starting");
    ${controllersMark}
  },
});
`;

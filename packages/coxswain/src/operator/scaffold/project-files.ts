import type { PlannedFile } from "../write-files.js";
import { controllersMark, importsMark } from "./add-to-main.js";
import { managerManifests } from "./manager-manifests.js";

export interface ProjectFacts {
  readonly name: string;
  readonly domain: string;
  /** Of the packages of Coxswain. */
  readonly coxswainVersion: string;
}

/** What `init` writes: a project without kinds. */
export const projectFiles = (facts: ProjectFacts): PlannedFile[] => [
  { path: "package.json", text: packageJson(facts) },
  { path: "tsconfig.json", text: `${JSON.stringify(tsconfig, undefined, 2)}\n` },
  { path: ".gitignore", text: "node_modules/\ndist/\n" },
  { path: "main.ts", text: mainModule(facts) },
  ...managerManifests(facts.name),
];

function packageJson({ name, domain, coxswainVersion }: ProjectFacts): string {
  const coxswain = (names: string[]) =>
    Object.fromEntries(names.map((short) => [`@coxswain/${short}`, coxswainVersion]));
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
      test: "coxswain operator test",
      start: "coxswain operator run",
      build: "coxswain operator build",
    },
    dependencies: coxswain(["api", "operator"]),
    devDependencies: {
      ...coxswain(["apimachinery", "testkit"]),
      "@types/node": "^20.19.0",
      coxswain: coxswainVersion,
      esbuild: "^0.28.2",
      typescript: "^7.0.2",
      vitest: "^4.1.12",
    },
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
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
  include: ["main.ts", "api", "controllers", "webhooks"],
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

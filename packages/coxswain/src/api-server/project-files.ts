import type { ProjectFacts } from "../project/init-flags.js";
import { dependenciesOn, furtherDependencies } from "../project/package-source.js";
import { testConfig } from "../project/test-config.js";
import type { PlannedFile } from "../project/write-files.js";
import { importsMark, kindsMark } from "./add-to-groups.js";
import { definitionsModule } from "./definitions-module.js";
import { serverManifests } from "./manifests.js";

/** What `init` writes: a server without kinds. */
export const projectFiles = (facts: ProjectFacts): PlannedFile[] => [
  { path: "package.json", text: packageJson(facts) },
  { path: "tsconfig.json", text: json(tsconfig) },
  { path: "vitest.config.ts", text: testConfig(facts.source, "kinds/**/*.test.ts") },
  { path: ".gitignore", text: "node_modules/\ndist/\ndata/\npki/\nconfig/certificate.yaml\n" },
  { path: "main.ts", text: mainModule(facts) },
  { path: "groups.ts", text: groupsModule },
  definitionsModule([]),
  ...serverManifests(facts.name),
  { path: "Dockerfile", text: dockerfile },
  { path: ".dockerignore", text: "*\n!package*.json\n!dist\ndist/**/*.test.js\n" },
  { path: "README.md", text: readme(facts) },
];

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

function packageJson({ name, domain, source }: ProjectFacts): string {
  const used = { always: ["api", "apiserver"], inTests: ["runtime", "schema-types", "storage", "coxswain"] };
  const alone = "--alone --bind-address=127.0.0.1 --secure-port=8443 --data-dir=data --cert-dir=pki";
  return json({
    name,
    version: "0.1.0",
    private: true,
    type: "module",
    engines: { node: ">=20.19" },
    // `create kind` makes groups below it.
    apiServer: { domain },
    scripts: {
      generate: "coxswain api generate",
      build: "coxswain api generate && tsc",
      test: "coxswain api generate && tsc --noEmit && vitest run",
      start: `npm run build && node dist/main.js ${alone}`,
    },
    dependencies: dependenciesOn(source, used.always),
    devDependencies: {
      ...dependenciesOn(source, used.inTests),
      ...furtherDependencies(source, [...used.always, ...used.inTests]),
      "@types/node": "^20.19.0",
      typescript: "^7.0.2",
      vitest: "^4.1.12",
    },
  });
}

const tsconfig = {
  compilerOptions: {
    target: "es2023",
    module: "nodenext",
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    rootDir: ".",
    outDir: "dist",
    types: ["node"],
  },
  include: ["main.ts", "groups.ts", "api", "kinds"],
};

const mainModule = ({ name }: ProjectFacts): string => `import { runApiServer } from "@coxswain/apiserver/library";
import { groups } from "./groups.js";

await runApiServer({ name: "${name}", groups });
`;

const groupsModule = `import { groupsOf } from "@coxswain/apiserver/library";
${importsMark}

/** All that is served. */
export const groups = groupsOf([
  ${kindsMark}
]);
`;

const dockerfile = `# "npm run build" makes dist.
FROM node:22-slim
WORKDIR /server
COPY package*.json ./
RUN npm ci --omit=dev
COPY dist dist
USER 65532:65532
ENTRYPOINT ["node", "/server/dist/main.js"]
`;

const readme = ({ name }: ProjectFacts): string => `# ${name}

An API server for kinds of its own, made by \`coxswain api init\`.

| command | what it does |
| --- | --- |
| \`npx coxswain api create kind --group hotel --version v1 --kind Booking\` | a kind: its type in \`api\`, its behaviour and a test in \`kinds\` |
| \`npm test\` | checks types, and each kind with the suite of the library |
| \`npm start\` | serves on 127.0.0.1:8443, alone: \`kubectl --kubeconfig pki/admin.conf api-resources\` |
| \`npm run generate\` | schemas, columns and registration, from the types |
| \`npx coxswain api certificates\` | the certificate for a cluster's API server in front |
| \`kubectl apply -f config\` | the server behind the API server of a cluster, once its image is built and named in \`config/server.yaml\` |
`;

import type { PlannedFile } from "../../project/write-files.js";

/** What a project has for people and for CI: the user's to change. */
export const projectPages = (name: string): PlannedFile[] => [
  { path: "README.md", text: readme(name) },
  { path: ".github/workflows/ci.yaml", text: workflow },
];

const readme = (name: string): string => `# ${name}

An operator for Kubernetes, made by \`coxswain operator init\`.

\`\`\`sh
npm install
npx coxswain operator create api --group media --version v1alpha1 --kind Video   # a kind and its controller
npx coxswain up --detach                                                         # a cluster; any other will do
npm start                                                                        # the operator, anew with each change
\`\`\`

| command | what it does |
| --- | --- |
| \`npm run generate\` | manifests in \`config\` and typed resources in \`api\`, from the types and markers of the sources |
| \`npm run lint\` | the linter |
| \`npm test\` | generates, checks types, runs the tests on clusters inside the test process |
| \`npm run test:e2e\` | the operator as a process on a cluster of \`coxswain up\`: probes, metrics, and every object of \`config/samples\` becomes ready |
| \`npm start\` | runs it against the current cluster until Ctrl-C |
| \`npm run build\` | one file with all packages, and a Dockerfile |
| \`npx coxswain operator deploy --image IMAGE\` | applies everything to a cluster |

The Deployment in \`config/manager\` has probes on port 8081 (\`/healthz\`, \`/readyz\`) and serves metrics by HTTPS on port 8443 to clients that may get
\`/metrics\` (the ClusterRole \`${name}-metrics-reader\`). Types are in \`api\`, controllers in \`controllers\`, webhooks in \`webhooks\`.
`;

const workflow = `name: ci
on: [push, pull_request]
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
          cache: npm
      - run: npm ci
      - run: npm run lint
      - run: npm test
      - name: generated files are committed
        run: git diff --exit-code
      - run: npm run test:e2e
      - run: npm run build
`;

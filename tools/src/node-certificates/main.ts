// npm run tool -- node-certificates: see `usage`.
import { parseArgs } from "node:util";
import { runProgram } from "../clients/index.js";
import { endWithStarter, missingForContainers, ownNamespaces, runInOwnNamespaces } from "../nodes/index.js";
import { watchRotation } from "./watch-rotation.js";

const usage = `npm run tool -- node-certificates [flags]

\`coxswain up --runtime containerd\` that signs certificates for a few minutes, and a machine that joins it, in namespaces of their own
(root, Debian's containerd). The API server checks certificates of kubelets. For some lives of a certificate, logs of a pod on that
machine are read and pods are written without a pause: no request may fail, the node must stay ready, and its client and serving
certificates must have been replaced.

  --minutes N          how long (default 12)
  --duration DURATION  of certificates (default 5m)
`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string", default: "12" },
    duration: { type: "string", default: "5m" },
    help: { type: "boolean", default: false },
  },
});

if (options.help) print(usage);
else if (ownNamespaces() !== undefined) {
  endWithStarter();
  await runProgram("ip", ["link", "set", "lo", "up"]); // as on every machine
  const problems = await watchRotation({ minutes: Number(options.minutes), duration: options.duration, print });
  for (const problem of problems) print(problem);
  print(`${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} else {
  const missing = missingForContainers();
  if (missing === undefined) process.exitCode = await runInOwnNamespaces();
  else {
    print(`missing: ${missing}`);
    process.exitCode = 2;
  }
}

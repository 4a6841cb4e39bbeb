// npm run tool -- prepare nodes: what runs of real nodes need on this machine.
import { prepareNodes } from "./prepare-nodes.js";

const [what, ...more] = process.argv.slice(2);
if (what !== "nodes" || more.length > 0) {
  process.stderr.write("npm run tool -- prepare nodes\n");
  process.exitCode = 2;
} else {
  try {
    await prepareNodes((line) => void process.stdout.write(`${line}\n`));
    process.stdout.write("nodes can run here\n");
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}

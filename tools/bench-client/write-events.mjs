// write-events.mjs KUBECONFIG COUNT PID: creates so many ConfigMaps in "bench-events", 64 at a time, while process PID stands still.
import { connect, loadKubeconfig } from "@coxswain/client/node";

const [path, count, reader] = process.argv.slice(2);
const client = connect(loadKubeconfig({ path }));
const configMaps = client.core.v1.configmaps("bench-events");
let sent = 0;
const worker = async () => {
  while (sent++ < Number(count))
    await configMaps.create({ metadata: { generateName: "e-" }, data: { a: "x".repeat(500) } });
};
process.kill(Number(reader), "SIGSTOP");
try {
  await Promise.all(Array.from({ length: 64 }, worker));
} finally {
  process.kill(Number(reader), "SIGCONT");
}
await client.close();

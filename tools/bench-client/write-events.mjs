// write-events.mjs KUBECONFIG COUNT: creates so many ConfigMaps in "bench-events", 64 at a time.
import { connect, loadKubeconfig } from "@coxswain/client/node";

const [path, count] = process.argv.slice(2);
const client = connect(loadKubeconfig({ path }));
const configMaps = client.core.v1.configmaps("bench-events");
let sent = 0;
const worker = async () => {
  while (sent++ < Number(count))
    await configMaps.create({ metadata: { generateName: "e-" }, data: { a: "x".repeat(500) } });
};
await Promise.all(Array.from({ length: 64 }, worker));
await client.close();

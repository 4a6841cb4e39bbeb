// handlers.mjs KUBECONFIG NAMESPACE PODS COUNT: the processor time of an informer's first sync with so many handlers, as JSON.
import { createSharedInformer } from "@coxswain/client/informers";
import { connect, loadKubeconfig } from "@coxswain/client/node";
import { processorTime } from "./process-figures.mjs";

const [path, namespace, expected, count] = process.argv.slice(2);
const client = connect(loadKubeconfig({ path }));
await client.core.v1.configmaps("bench").get("target");
const used = processorTime();
const informer = createSharedInformer({ listerWatcher: client.core.v1.pods(namespace) });
let received = 0;
const handler = { onAdd: () => void received++ };
const registrations = Array.from({ length: Number(count) }, () => informer.addHandler(handler));
informer.start();
await Promise.all(registrations.map((registration) => registration.whenSynced()));
const wanted = Number(expected) * Number(count);
if (received !== wanted) throw new Error(`the handlers saw ${received} objects instead of ${wanted}`);
console.log(JSON.stringify({ handlersCpuMs: processorTime() - used }));
process.exit(0);

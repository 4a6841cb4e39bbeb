// reconcile.mjs KUBECONFIG ROUND WANT WORKERS: the same as tools/programs/reconciler with @coxswain/operator, in a process of its own.
import { connect, loadKubeconfig } from "@coxswain/client/node";
import { createManager, defineResource, patchStatus } from "@coxswain/operator";

const [kubeconfig, round, want, workers] = process.argv.slice(2);
const Widgets = defineResource({
  group: "bench.example.com",
  version: "v1",
  kind: "Widget",
  resource: "widgets",
  scope: "Namespaced",
});
const client = connect(loadKubeconfig({ path: kubeconfig }));
const manager = createManager({ client });
const ending = new AbortController();
let began;
let done = 0;
let calls = 0;
let seconds = 0;
manager
  .controller("widget")
  .for(Widgets)
  .options({ concurrency: Number(workers) })
  .reconcile(async (request, context) => {
    began ??= performance.now();
    calls++;
    const widget = await context.get(Widgets, request);
    if (widget === undefined) return;
    const { size } = widget.spec;
    if (widget.status?.round === Number(round) && widget.status.size === size) return;
    await patchStatus(context, Widgets, widget, { round: Number(round), size });
    if (++done < Number(want)) return;
    seconds = (performance.now() - began) / 1000;
    ending.abort();
  });
await manager.start(ending.signal);
console.log(JSON.stringify({ seconds, peakBytes: process.resourceUsage().maxRSS * 1024, calls }));
process.exit(0);

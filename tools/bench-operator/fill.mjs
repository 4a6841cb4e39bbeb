// fill.mjs KUBECONFIG COUNT: makes the kind and its objects, unless they are there.
import { connect, loadKubeconfig } from "@coxswain/client/node";

const [kubeconfig, count] = process.argv.slice(2);
const client = connect(loadKubeconfig({ path: kubeconfig }));
const integers = { type: "object", properties: { size: { type: "integer" }, round: { type: "integer" } } };
await client.apiextensions.v1.customresourcedefinitions().create({
  metadata: { name: "widgets.bench.example.com" },
  spec: {
    group: "bench.example.com",
    names: { kind: "Widget", plural: "widgets" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", properties: { spec: integers, status: integers } } },
      },
    ],
  },
});
const widgets = client.dynamic(
  { group: "bench.example.com", version: "v1", resource: "widgets", kind: "Widget" },
  "default",
);
// The kind is served a moment after its definition was made.
for (;;) {
  try {
    await widgets.list({ limit: 1 });
    break;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
let next = 0;
const worker = async () => {
  for (let at = next++; at < Number(count); at = next++)
    await widgets.create({ metadata: { name: `widget-${at}`, labels: { app: "bench" } }, spec: { size: at % 7 } });
};
await Promise.all(Array.from({ length: 16 }, worker));
await client.close();

// smoke.mjs SERVER TOKEN: the parts of @coxswain/client that need no Node module, in whatever runtime this is.
// Creates, lists, watches and deletes ConfigMaps by the fetch transport, and follows them with an informer.
import { createClient, createFetchTransport } from "@coxswain/client";
import { createSharedInformer } from "@coxswain/client/informers";

const [server, token] = globalThis.Deno ? Deno.args : process.argv.slice(2);
const client = createClient({
  transport: createFetchTransport({ server, headers: () => ({ authorization: `Bearer ${token}` }) }),
});
const configMaps = client.core.v1.configmaps("default");
const seen = [];
let notify = () => {};
const informer = createSharedInformer({ listerWatcher: configMaps });
const see = (type) => (object) => {
  if (object.metadata.name.startsWith("smoke-")) seen.push(`${type} ${object.metadata.name}`);
  notify();
};
informer.addHandler({ onAdd: see("add"), onUpdate: (_, object) => see("update")(object), onDelete: see("delete") });
informer.start();
await informer.whenSynced();

const until = (count) =>
  new Promise((resolve) => {
    notify = () => seen.length >= count && resolve();
    notify();
  });
await configMaps.create({ metadata: { name: "smoke-a" }, data: { a: "1" } });
await configMaps.patch("smoke-a", { merge: { data: { a: "2" } } });
await configMaps.delete("smoke-a");
await until(3);
const expected = ["add smoke-a", "update smoke-a", "delete smoke-a"];
if (seen.join() !== expected.join()) throw new Error(`the informer saw ${seen.join()}`);
await configMaps.get("smoke-a").then(
  () => Promise.reject(new Error("smoke-a is still there")),
  (error) => {
    if (error.status?.code !== 404) throw error;
  },
);
await informer.stop();
await client.close();
console.log("passed: create, patch, delete, get, informer");

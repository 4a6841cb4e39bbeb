// A small operator: each ConfigMap with the label "greet" gets a Secret with its greeting.
import { isAlreadyExists } from "@coxswain/apimachinery/status";
import { builtIn, createManager } from "@coxswain/operator";
import type { StartProgram } from "@coxswain/testkit";

const { configmaps, secrets } = builtIn.core.v1;

export const greeter: StartProgram = (client, world) => {
  const manager = createManager({ client, ...world });
  manager
    .controller("greeter")
    .for(configmaps)
    .owns(secrets)
    .reconcile(async ({ namespace, name }, context) => {
      const map = await context.get(configmaps, { namespace, name });
      if (!map?.metadata?.labels?.["greet"]) return;
      const owner = { apiVersion: "v1", kind: "ConfigMap", name, uid: map.metadata.uid ?? "", controller: true };
      await client.core.v1
        .secrets(namespace)
        .create({ metadata: { name, ownerReferences: [owner] }, stringData: { text: `hello ${name}` } })
        .catch((error: unknown) => {
          if (!isAlreadyExists(error)) throw error;
        });
    });
  void manager.start().catch(() => {}); // a killed program has nobody to report to
  return manager;
};

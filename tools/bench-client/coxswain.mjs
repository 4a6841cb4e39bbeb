import { createSharedInformer } from "@coxswain/client/informers";
import { connect, loadKubeconfig } from "@coxswain/client/node";

export const open = (path) => connect(loadKubeconfig({ path }));

export function startInformer(client, namespace, resource = "pods") {
  let received = 0;
  let reached = () => {};
  const informer = createSharedInformer({ listerWatcher: client.core.v1[resource](namespace) });
  const count = () => {
    received++;
    reached();
  };
  const registration = informer.addHandler({ onAdd: count, onUpdate: count, onDelete: count });
  informer.start();
  return {
    async synced(expected) {
      await registration.whenSynced();
      if (received !== expected) throw new Error(`the informer has ${received} objects instead of ${expected}`);
      received = 0;
    },
    received: (wanted) =>
      new Promise((resolve) => {
        reached = () => received >= wanted && resolve();
        reached();
      }),
  };
}

export const get = (client, namespace, name) => client.core.v1.configmaps(namespace).get(name);

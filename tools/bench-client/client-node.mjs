// Where npm put it: the version of our own development dependency needs a newer Node than the oldest that we support.
const { CoreV1Api, KubeConfig, makeInformer } = await import(process.env.COXSWAIN_CLIENT_NODE);

export function open(path) {
  const config = new KubeConfig();
  config.loadFromFile(path);
  return { config, api: config.makeApiClient(CoreV1Api) };
}

export async function startInformer({ config, api }, namespace, resource = "pods") {
  let received = 0;
  let reached = () => {};
  const list = () =>
    resource === "pods" ? api.listNamespacedPod({ namespace }) : api.listNamespacedConfigMap({ namespace });
  const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/${resource}`, list);
  const count = () => {
    received++;
    reached();
  };
  for (const type of ["add", "update", "delete"]) informer.on(type, count);
  await informer.start();
  return {
    async synced(expected) {
      while (informer.list().length < expected) await new Promise((resolve) => setTimeout(resolve, 1));
      received = 0;
    },
    received: (wanted) =>
      new Promise((resolve) => {
        reached = () => received >= wanted && resolve();
        reached();
      }),
  };
}

export const get = ({ api }, namespace, name) => api.readNamespacedConfigMap({ namespace, name });

import { afterAll, beforeAll } from "vitest";
import { describeKeyValueStore } from "../conformance/index.js";
import { type EtcdCluster, startEtcdCluster } from "./testing/etcd-process.test.support.js";
import { describeOverEtcd } from "./testing/find-etcd.test.support.js";
import { openForTests, wipe } from "./testing/open-for-tests.test.support.js";

const knownGaps = { "history has the notes of the writes": "etcd has no place for notes beside a value" };

describeOverEtcd("the store over etcd", ({ command, version }) => {
  let cluster: EtcdCluster;
  beforeAll(async () => void (cluster = await startEtcdCluster(command)));
  afterAll(() => cluster.stop());

  describeKeyValueStore(`etcd ${version}`, {
    async open() {
      await wipe(cluster.endpoints);
      const store = await openForTests(cluster.endpoints);
      return {
        store,
        async reopen() {
          await store.close();
          return openForTests(cluster.endpoints);
        },
      };
    },
    knownGaps,
    randomRuns: 3,
    randomSteps: 200,
  });
});

import { type Attack, pause, repeat } from "../attack.js";
import { send } from "../send.js";

const secrets = "/api/v1/namespaces/default/secrets";
/** A megabyte, which is what a Secret may have. */
const data = Buffer.alloc(1_000_000, "x").toString("base64");

const jobs = "/apis/batch/v1/namespaces/default/jobs";
const cronJobs = "/apis/batch/v1/namespaces/default/cronjobs";
const pods = "/api/v1/namespaces/default/pods";
/** Pods that no node takes: what is looked at is the work of controllers and scheduler. */
const template = {
  spec: { nodeSelector: { no: "where" }, restartPolicy: "Never", containers: [{ name: "a", image: "b" }] },
};

/** Many objects that one request deletes, or one time makes. */
export const collectionAttacks: readonly Attack[] = [
  {
    name: "40 Secrets of 1 MB that are deleted together",
    isLong: true,
    async run(target, signal) {
      await repeat(signal, 1, async () => {
        const secret = { metadata: { generateName: "hostile-" }, data: { a: data } };
        for (let at = 0; at < 40 && !signal.aborted; at++) await send(target, "POST", secrets, secret, signal);
        await send(target, "DELETE", secrets, undefined, signal);
      });
      await send(target, "DELETE", secrets);
    },
  },
  {
    name: "Jobs of 10,000 pods that are deleted before they have them all",
    on: "cluster",
    isLong: true,
    async run(target, signal) {
      await repeat(signal, 1, async (turn) => {
        const path = `${jobs}/hostile-${turn}`;
        const spec = { parallelism: 10_000, completions: 10_000, template };
        await send(target, "POST", jobs, { metadata: { name: `hostile-${turn}` }, spec }, signal);
        await pause(3000, signal);
        await send(target, "DELETE", `${path}?propagationPolicy=Background`);
      });
      await send(target, "DELETE", pods);
    },
  },
  {
    name: "1,000 CronJobs that are due together, again and again",
    on: "cluster",
    isLong: true,
    async run(target, signal) {
      const spec = { schedule: "@every 3s", concurrencyPolicy: "Replace", jobTemplate: { spec: { template } } };
      await repeat(signal, 20, async (turn) => {
        if (turn < 1000) await send(target, "POST", cronJobs, { metadata: { name: `hostile-${turn}` }, spec }, signal);
        else await pause(1000, signal);
      });
      await send(target, "DELETE", `${cronJobs}?propagationPolicy=Background`);
      await send(target, "DELETE", `${jobs}?propagationPolicy=Background`);
      await send(target, "DELETE", pods);
    },
  },
];

import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Readable } from "node:stream";
import { createHttpsRequester } from "../../record/https-requester.js";
import { allAnswered, type Contestant } from "../contestant.js";
import type { BenchServer } from "../servers/server.js";
import { configMapsPath, namespaces, targetName } from "../workload.js";
import type { Row, Values } from "./row.js";

const quiet = "GET p99 of one user, quiet";
const flooded = "GET p99 of one user while another has 500 GETs in flight";
const ratio = "the second by the first (ours: < 3)";
/** More than anybody answers while it lasts. */
const flood = { connections: 20, inFlightEach: 25, count: 4_000_000 };
/** Handshakes are over by then. */
const floodBeginsMs = 1_000;
const calm = { connections: 1, inFlightEach: 1, count: 500, isUrgent: true };
const get = { method: "GET", path: `${configMapsPath}/${targetName}`, headers: { accept: "application/json" } };

/** Two service accounts: their requests have the same priority, and neither is exempt. */
export const floodRow: Row = {
  name: "flood",
  figures: [
    { what: quiet, unit: "ms", better: "less", budget: 1 },
    { what: flooded, unit: "ms", better: "less", budget: 1 },
    { what: ratio, unit: "times", better: "less", budget: 1 },
  ],
  rounds: 3,
  async measure(contestant): Promise<Values> {
    const server = await contestant.server();
    const flooding = await asAccount(server, "flooding");
    const other = await asAccount(server, "calm");
    await contestant.requestsTo(other, get, { connections: 4, inFlightEach: 4, count: 5_000 }); // warms up
    await contestant.requestsTo(other, get, calm);
    const before = await contestant.requestsTo(other, get, calm);
    if (!allAnswered(before, 200)) throw new Error(`${contestant.name} has lost the ConfigMap ${targetName}`);
    const during = await whileFlooded(contestant, flooding, () => contestant.requestsTo(other, get, calm));
    if (!allAnswered(during, 200)) throw new Error(`${contestant.name} refuses a user because of another`);
    return new Map([[quiet, before.p99Ms], [flooded, during.p99Ms], [ratio, during.p99Ms / before.p99Ms]]);
  },
};

async function whileFlooded<T>(contestant: Contestant, flooding: BenchServer, work: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const going = contestant.requestsTo(flooding, get, flood, over.signal); // some hear 429, and that is right
  const drowned = going.then(() => Promise.reject(new Error("the flood was over before the other user was done; make it longer")));
  try {
    await Promise.race([sleep(floodBeginsMs), drowned]);
    return await Promise.race([work(), drowned]);
  } finally {
    over.abort();
    await Promise.allSettled([going, drowned]);
  }
}

/** The server as a service account sees it that may read everything. Made anew in each round, which is as good as once. */
async function asAccount(server: BenchServer, name: string): Promise<BenchServer> {
  const { request, close } = createHttpsRequester(server.access);
  const post = async (path: string, body: unknown): Promise<string> => {
    const signal = AbortSignal.timeout(10_000);
    const answer = await request({ method: "POST", path, headers: { "content-type": "application/json" }, body: Buffer.from(JSON.stringify(body)), signal });
    return text(answer.body as Readable);
  };
  try {
    const accounts = `/api/v1/namespaces/${namespaces.configMaps}/serviceaccounts`;
    await post(accounts, { metadata: { name } });
    const subjects = [{ kind: "ServiceAccount", name, namespace: namespaces.configMaps }];
    await post("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", { metadata: { name: `bench-${name}` }, roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" }, subjects });
    const { status } = JSON.parse(await post(`${accounts}/${name}/token`, { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} })) as { status: { token: string } };
    return { ...server, access: { server: server.access.server, certificateAuthority: server.access.certificateAuthority, token: status.token } };
  } finally {
    close();
  }
}

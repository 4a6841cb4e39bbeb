import { allAnswered, type Contestant } from "../contestant.js";
import { configMapsPath, targetName } from "../workload.js";
import type { Row, Values } from "./row.js";

const quiet = "GET p99 of one user, quiet";
const flooded = "GET p99 of one user while another has 500 GETs in flight";
const ratio = "the second by the first";
const flood = { connections: 20, inFlightEach: 25, count: 40_000 };
const calm = { connections: 1, inFlightEach: 1, count: 1_000 };

/** Requests of users that the administrator stands in for: neither is exempt from priority and fairness. */
const getAs = (user: string) => ({ method: "GET", path: `${configMapsPath}/${targetName}`, headers: { accept: "application/json", "impersonate-user": user } });

export const floodRow: Row = {
  name: "flood",
  figures: [
    { what: quiet, unit: "ms", better: "less", budget: 2 },
    { what: flooded, unit: "ms", better: "less", budget: 2 },
    { what: ratio, unit: "times", better: "less", budget: 3 },
  ],
  rounds: 3,
  async measure(contestant): Promise<Values> {
    await mayRead(contestant, ["flooding", "calm"]);
    await contestant.requests(getAs("calm"), calm); // warms up
    const before = await contestant.requests(getAs("calm"), calm);
    if (!allAnswered(before, 200)) throw new Error(`${contestant.name} has lost the ConfigMap ${targetName}`);
    let isOver = false;
    const flooding = contestant.requests(getAs("flooding"), flood).finally(() => (isOver = true)); // some hear 429, and that is right
    const during = await contestant.requests(getAs("calm"), calm);
    if (!allAnswered(during, 200)) throw new Error(`${contestant.name} refuses a user because of another`);
    if (isOver) throw new Error("the flood was over before the other user was done; make it longer");
    await flooding;
    return new Map([[quiet, before.p99Ms], [flooded, during.p99Ms], [ratio, during.p99Ms / before.p99Ms]]);
  },
};

async function mayRead(contestant: Contestant, users: readonly string[]): Promise<void> {
  const subjects = users.map((name) => ({ apiGroup: "rbac.authorization.k8s.io", kind: "User", name }));
  const body = JSON.stringify({ metadata: { name: "bench-flood" }, roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" }, subjects });
  await contestant.requests({ method: "POST", path: "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", body }, { connections: 1, inFlightEach: 1, count: 1 }); // 409 the second time
}

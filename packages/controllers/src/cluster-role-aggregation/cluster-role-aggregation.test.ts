import type { ClusterRole, PolicyRule } from "@coxswain/api/rbac/v1";
import { afterEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { clusterRoleAggregationController } from "./controller.js";
import { planRules } from "./plan.js";

const rule = (resource: string): PolicyRule => ({ apiGroups: [""], resources: [resource], verbs: ["get"] });
const role = (name: string, labels: Record<string, string>, ...resources: string[]): ClusterRole => ({
  metadata: { name, labels },
  rules: resources.map(rule),
});
const aggregated = (selectors: Record<string, string>[], ...resources: string[]): ClusterRole => ({
  ...role("sum", { to: "sum" }, ...resources),
  aggregationRule: { clusterRoleSelectors: selectors.map((matchLabels) => ({ matchLabels })) },
});

describe("the rules of an aggregated role", () => {
  const [toSum, toMore] = [{ to: "sum" }, { to: "more" }];
  const rows: { name: string; role: ClusterRole; others: ClusterRole[]; resources: string[] | undefined }[] = [
    {
      name: "a role without an aggregation rule stays",
      role: role("a", {}),
      others: [role("b", toSum, "x")],
      resources: undefined,
    },
    {
      name: "are those of the selected roles by name",
      role: aggregated([toSum]),
      others: [role("b", toSum, "y"), role("a", toSum, "x"), role("c", toMore, "z")],
      resources: ["x", "y"],
    },
    {
      name: "come selector by selector, each once",
      role: aggregated([toMore, toSum]),
      others: [role("a", toSum, "x", "z"), role("b", toMore, "z")],
      resources: ["z", "x"],
    },
    { name: "do not include its own", role: aggregated([toSum], "own"), others: [], resources: [] },
    {
      name: "are not written again",
      role: aggregated([toSum], "x"),
      others: [role("a", toSum, "x")],
      resources: undefined,
    },
  ];
  for (const row of rows)
    it(row.name, () =>
      expect(planRules(row.role, [row.role, ...row.others])?.flatMap(({ resources }) => resources ?? [])).toEqual(
        row.resources,
      ),
    );
});

describe("the cluster role aggregation controller", () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  it("follows the roles that are selected as they come, change and go, also across a restart", async () => {
    cluster = await startTestCluster({ controllers: [clusterRoleAggregationController] });
    const roles = cluster.client.rbac.v1.clusterroles();
    const resources = async () => ((await roles.get("sum")).rules ?? []).flatMap((one) => one.resources ?? []);
    await roles.create(aggregated([{ to: "sum" }]));
    await roles.create(role("part", { to: "sum" }, "x"));
    await cluster.settle();
    expect(await resources()).toEqual(["x"]);
    await roles.patch("part", { merge: { rules: [rule("y")] } });
    await cluster.settle();
    expect(await resources()).toEqual(["y"]);
    const restarted = cluster.restart();
    await roles.delete("part");
    await restarted;
    await cluster.settle();
    expect(await resources()).toEqual([]);
  });

  it("fills the roles that users are given: admin, edit and view", async () => {
    cluster = await startTestCluster({ controllers: [clusterRoleAggregationController] });
    await cluster.settle();
    for (const name of ["admin", "edit", "view"])
      expect((await cluster.client.rbac.v1.clusterroles().get(name)).rules?.length).toBeGreaterThan(1);
  });
});

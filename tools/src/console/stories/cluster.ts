import { gone, longestMs, press, type Story, see, visit } from "./story.js";

export const clusterStories: readonly Story[] = [
  {
    name: "access: which binding lets the administrator delete pods",
    async run({ page }) {
      await visit(page, "#/access");
      await press(page, "Ask");
      await page.getByRole("button", { name: "delete pods: yes" }).click({ timeout: longestMs });
      await see(page, ".reason", "yes");
    },
  },
  {
    name: "nodes: a simulated machine is turned off and recovers",
    needs: "simulation",
    async run({ page }) {
      await visit(page, "#/o/v1/nodes/_/node-2");
      await press(page, "Kill");
      await see(page, ".difference .new", "machine");
      await page.locator("dialog").getByRole("button", { name: "Kill" }).click();
      await page.getByRole("button", { name: "Recover" }).waitFor({ timeout: longestMs });
    },
    async clean({ kubectl, nodes }) {
      kubectl("annotate", "node", nodes[2] ?? "", "simulation.coxswain.dev/machine-");
    },
    async elsewhere({ page, nodes }) {
      await visit(page, `#/o/v1/nodes/_/${nodes[2]}`);
      await page.getByRole("button", { name: "Drain" }).waitFor({ timeout: longestMs });
      if ((await page.getByRole("button", { name: "Kill" }).count()) > 0) throw new Error("Kill is offered");
    },
  },
  {
    name: "queues: controllers with what they have done, and what woke them",
    needs: "history",
    async run({ page }) {
      await visit(page, "#/queues");
      await see(page, ".queues tbody", "replicaset-controller");
      await page.locator(".queues").getByRole("button", { name: "deployment", exact: true }).first().click();
      await see(page, ".queues tbody", "default/web");
    },
    async elsewhere({ page }) {
      await visit(page, "#/queues");
      await see(page, ".empty", "Only a server of this project");
    },
  },
  {
    name: "access: what nearly allows it, where nothing does",
    needs: "history",
    async run({ page, kubectl }) {
      kubectl("create", "rolebinding", "ann-views", "--clusterrole=view", "--user=ann", "-n", "default");
      await visit(page, "#/access?ns=default");
      await page.getByLabel("User").fill("ann");
      await press(page, "Ask");
      await page.getByRole("button", { name: "delete pods: no" }).click({ timeout: longestMs });
      await see(page, ".near-misses", "RoleBinding default/ann-views");
      await see(page, ".near-misses", "delete is missing");
    },
    async clean({ kubectl }) {
      kubectl("delete", "rolebinding", "ann-views", "-n", "default", "--ignore-not-found");
    },
    async elsewhere({ page }) {
      await visit(page, "#/access?ns=default");
      await page.getByLabel("User").fill("nobody-at-all");
      await press(page, "Ask");
      await page.getByRole("button", { name: "delete pods: no" }).click({ timeout: longestMs });
      await see(page, ".access", "Only a server of this project");
    },
  },
  {
    name: "see as: another user's tables, with the server's words where they may not look",
    async run({ page, kubectl, look }) {
      kubectl("create", "rolebinding", "ann-views", "--clusterrole=view", "--user=ann", "-n", "default");
      await visit(page, "#/t/v1/pods?ns=default");
      await see(page, ".rows", "web-");
      await page.getByTitle("See as another user").click();
      await page.locator("dialog").getByLabel("User").fill("ann");
      await look("dialog");
      await page.locator("dialog").getByRole("button", { name: "See as" }).click();
      await see(page, ".rows", "web-");
      await visit(page, "#/t/v1/pods?ns=kube-system");
      await see(page, ".problem", 'User "ann" cannot list resource "pods"');
    },
    async clean({ page, kubectl }) {
      await page.getByTitle("See as another user").click();
      await page
        .locator("dialog")
        .getByRole("button", { name: /again$/ })
        .click();
      kubectl("delete", "rolebinding", "ann-views", "-n", "default");
    },
  },
  {
    name: "nodes: a drain evicts what runs there, and the node is put back",
    async run({ page, kubectl, nodes, look }) {
      await visit(page, `#/o/v1/nodes/_/${nodes[1]}`);
      await press(page, "Drain");
      await see(page, "dialog h2", "Drain");
      await look("dialog");
      await page.locator("dialog").getByRole("button", { name: "Drain" }).click();
      await gone(page, "dialog h2", "Drain");
      await press(page, "Uncordon");
      await see(page, "dialog .difference .gone", "unschedulable: true");
      await page.locator("dialog .buttons").last().getByRole("button", { name: "Uncordon" }).click();
      await page.getByRole("button", { name: "Cordon", exact: true }).waitFor({ timeout: longestMs });
      kubectl("rollout", "status", "deployment", "web", "--timeout=60s");
    },
  },
];

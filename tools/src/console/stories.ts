import type { Page } from "playwright-core";

/** What a story is given: a page that is connected, and kubectl for what happens outside of it. */
export interface StoryContext {
  readonly page: Page;
  kubectl(...args: string[]): string;
}

/** A story does something in a view and reads the result; it throws where that is not what should be. */
export interface Story {
  readonly name: string;
  run(context: StoryContext): Promise<void>;
}

/** Goes to a view as a link does. */
const visit = (page: Page, hash: string): Promise<void> =>
  page.evaluate((wanted) => {
    (globalThis as unknown as { location: { hash: string } }).location.hash = wanted;
  }, hash);

const see = (page: Page, selector: string, text: string): Promise<void> =>
  page.locator(selector, { hasText: text }).first().waitFor({ timeout: 20_000 });

/** Every story leaves the cluster as it found it, but for the Deployment "web" in default, which has 3 replicas. */
export const stories: readonly Story[] = [
  {
    name: "overview: pods by status, and how full nodes are",
    async run({ page }) {
      await visit(page, "#/");
      await see(page, ".counts", "Running");
      await see(page, ".nodes", "node-0");
    },
  },
  {
    name: "table: a pod that is created outside appears, and one that is deleted goes",
    async run({ page, kubectl }) {
      await visit(page, "#/t/v1/configmaps?ns=default");
      kubectl("create", "configmap", "appears", "--from-literal=a=b");
      await see(page, ".rows", "appears");
      kubectl("delete", "configmap", "appears");
      await page.locator(".rows a", { hasText: "appears" }).waitFor({ state: "detached", timeout: 20_000 });
    },
  },
  {
    name: "table: a filter leaves one row, and its problem is named",
    async run({ page }) {
      await visit(page, "#/t/v1/nodes");
      await see(page, ".rows", "node-1");
      await page.keyboard.press("/");
      await page.keyboard.type("name=node-1");
      await see(page, ".count", "1 of 3");
      await page.getByLabel("Filter").fill("colour=red");
      await see(page, ".filter", "there is no column");
    },
  },
  {
    name: "search: Ctrl-K finds a deployment by its name and opens it",
    async run({ page }) {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("web");
      await see(page, ".palette li", "Deployment in default");
      await page.locator(".palette li", { hasText: "Deployment in default" }).click();
      await see(page, ".object-head h1", "web");
    },
  },
  {
    name: "object: owners as a tree, and events",
    async run({ page }) {
      await visit(page, "#/o/apps/v1/deployments/default/web");
      await see(page, ".tree", "ReplicaSet");
      await see(page, ".summary", "ScalingReplicaSet");
    },
  },
  {
    name: "action: scaling shows the dry run, then is done",
    async run({ page, kubectl }) {
      await visit(page, "#/o/apps/v1/deployments/default/web");
      await page.getByLabel("Replicas").fill("4");
      await page.getByRole("button", { name: "Scale", exact: true }).click();
      await see(page, ".difference .new", "replicas: 4");
      await page.getByRole("button", { name: "Scale to 4" }).click();
      await see(page, ".facts", "of 4");
      kubectl("scale", "deployment", "web", "--replicas=3");
    },
  },
  {
    name: "editor: the server's error while one types, in its own words",
    async run({ page }) {
      await visit(page, "#/o/apps/v1/deployments/default/web?tab=yaml");
      await see(page, ".cm-content", "replicas");
      await page
        .locator(".cm-line", { hasText: /^ {2}replicas: 3$/ })
        .first()
        .click();
      await page.keyboard.press("End");
      await page.keyboard.press("Backspace");
      await page.keyboard.type("-1");
      await page.locator(".cm-lintRange-error").first().waitFor({ timeout: 20_000 });
      await see(page, ".owners", "kubectl");
      await page.getByRole("button", { name: "Undo all" }).click();
    },
  },
  {
    name: "terminal: a command's output is shown",
    async run({ page, kubectl }) {
      const pod = kubectl("get", "pods", "-l", "app=web", "-o", "jsonpath={.items[0].metadata.name}");
      await visit(page, `#/o/v1/pods/default/${pod}?tab=terminal`);
      const frame = page.frameLocator("iframe");
      const shows = (text: string): Promise<void> =>
        frame.locator("body", { hasText: text }).waitFor({ timeout: 20_000 });
      await shows("#");
      await frame.locator(".xterm-screen").click();
      await page.keyboard.type("echo con$((1))sole\n");
      await shows("con1sole");
    },
  },
  {
    name: "changes: who changed the deployment",
    async run({ page }) {
      await visit(page, "#/o/apps/v1/deployments/default/web?tab=changes");
      await see(page, ".changes", "kubernetes-admin");
    },
  },
  {
    name: "the past: a table at an old revision has what was deleted since",
    async run({ page, kubectl }) {
      const created = kubectl("create", "configmap", "past", "-o", "jsonpath={.metadata.resourceVersion}");
      kubectl("delete", "configmap", "past");
      await visit(page, `#/t/v1/configmaps?ns=default&at=${created}`);
      await see(page, ".rows", "past");
      await page.getByRole("button", { name: "Back to live" }).click();
      await page.locator(".rows a", { hasText: "past" }).waitFor({ state: "detached", timeout: 20_000 });
    },
  },
  {
    name: "timeline: the change of a deployment",
    async run({ page }) {
      await visit(page, "#/timeline");
      await see(page, ".entries", "Deployment");
    },
  },
  {
    name: "access: which binding lets the administrator delete pods",
    async run({ page }) {
      await visit(page, "#/access");
      await page.getByRole("button", { name: "Ask" }).click();
      await page.getByRole("button", { name: "delete pods: yes" }).click({ timeout: 30_000 });
      await see(page, ".reason", "yes");
    },
  },
  {
    name: "nodes: a simulated machine is turned off and recovers",
    async run({ page, kubectl }) {
      await visit(page, "#/o/v1/nodes/_/node-2");
      await page.getByRole("button", { name: "Kill" }).click();
      await see(page, ".difference .new", "machine");
      await page.locator("dialog").getByRole("button", { name: "Kill" }).click();
      await page.getByRole("button", { name: "Recover" }).waitFor({ timeout: 20_000 });
      kubectl("annotate", "node", "node-2", "simulation.coxswain.dev/machine-");
    },
  },
];

import type { Page } from "playwright-core";
import { gone, press, type Story, see, visit } from "./story.js";

const web = "#/o/apps/v1/deployments/default/web";

/** Where there is no history. */
async function hasNoTab(page: Page, name: string): Promise<void> {
  await visit(page, web);
  await see(page, ".tabs", "Map");
  if ((await page.getByRole("tab", { name }).count()) > 0) throw new Error(`${name} is offered`);
}

export const pastStories: readonly Story[] = [
  {
    name: "changes: who changed the deployment",
    needs: "history",
    async run({ page }) {
      await visit(page, `${web}?tab=changes`);
      await see(page, ".changes", "kubernetes-admin");
    },
    elsewhere: ({ page }) => hasNoTab(page, "Changes"),
  },
  {
    name: "the past: a table at an old revision has what was deleted since",
    async run({ page, kubectl, look }) {
      const created = kubectl("create", "configmap", "past", "-o", "jsonpath={.metadata.resourceVersion}");
      kubectl("delete", "configmap", "past");
      await visit(page, `#/t/v1/configmaps?ns=default&at=${created}`);
      await see(page, ".rows", "past");
      await look("then");
      await page.getByTitle("Look at the past").click();
      await see(page, "dialog h2", "Look at the past");
      await look("dialog");
      await page.keyboard.press("Escape");
      await press(page, "Back to live");
      await gone(page, ".rows a", "past");
    },
  },
  {
    name: "the past: a moment before the history began is refused in the dialog",
    needs: "history",
    async run({ page, look }) {
      await visit(page, "#/t/v1/configmaps?ns=default");
      await page.getByTitle("Look at the past").click();
      await page.locator("dialog input[type=range]").focus();
      await page.keyboard.press("Home");
      await press(page, "Show 24h ago");
      await see(page, "dialog .problem", "does not go back so far");
      await look("dialog");
      await page.keyboard.press("Escape");
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
    name: "timeline: a rollout with its image",
    async run({ page }) {
      await visit(page, "#/timeline");
      await page.getByLabel("Show").selectOption("rollout");
      await see(page, ".entries", /Rollout \d+ of nginx/);
    },
  },
  {
    name: "compare: what is new, gone and changed since a moment, with the difference of one object",
    picture: "compare",
    async run({ page, kubectl }) {
      kubectl("create", "configmap", "goes");
      const before = kubectl(
        "create",
        "configmap",
        "changes",
        "--from-literal=a=b",
        "-o",
        "jsonpath={.metadata.resourceVersion}",
      );
      kubectl("patch", "configmap", "changes", "-p", '{"data":{"a":"c"}}');
      kubectl("delete", "configmap", "goes");
      kubectl("create", "configmap", "comes");
      await visit(page, "#/compare?ns=default");
      await page.getByLabel("From").fill(before);
      await page.locator("main").getByRole("button", { name: "Compare" }).click();
      await see(page, ".compared li", /gone.*default\/goes/);
      await see(page, ".compared li", /new.*default\/comes/);
      await page.locator(".compared summary", { hasText: "default/changes" }).click();
      await see(page, ".compared .difference .new", "a: c");
    },
    async clean({ kubectl }) {
      kubectl("delete", "configmap", "changes", "comes");
    },
  },
  {
    name: "restore: an object that was deleted is found in the past and made again",
    needs: "history",
    async run({ page, kubectl }) {
      kubectl("create", "configmap", "lost", "--from-literal=colour=red");
      kubectl("delete", "configmap", "lost");
      await visit(page, "#/o/v1/configmaps/default/lost?ns=");
      await press(page, "Look for it in the past");
      await page.locator(".changes tr", { hasText: "Created" }).getByRole("button", { name: "Restore" }).click();
      await see(page, "dialog .difference .new", "colour: red");
      await page.locator("dialog .buttons").last().getByRole("button", { name: "Restore" }).click();
      await gone(page, "dialog h2", "Restore");
      const colour = kubectl("get", "configmap", "lost", "-o", "jsonpath={.data.colour}");
      if (colour !== "red") throw new Error(`the colour is ${colour}`);
    },
    async clean({ kubectl }) {
      kubectl("delete", "configmap", "lost", "--ignore-not-found");
    },
    async elsewhere({ page }) {
      await visit(page, "#/o/v1/configmaps/default/lost?ns=");
      await see(page, ".panel", "There is no such object");
      if ((await page.getByRole("button", { name: "Look for it in the past" }).count()) > 0)
        throw new Error("the past is offered");
    },
  },
  {
    name: "why: the chain of causes of a pod down to a person, and the graph of causes and effects",
    picture: "why",
    needs: "history",
    isShort: true,
    async run({ page, kubectl }) {
      const pod = kubectl("get", "pods", "-l", "app=web", "-o", "jsonpath={.items[0].metadata.name}");
      await visit(page, `#/o/v1/pods/default/${pod}?tab=why`);
      await see(page, ".chain li", "was created by replicaset-controller");
      await see(page, ".chain li", /because .*kubernetes-admin/);
      await see(page, ".graph-node", "web");
      if ((await page.locator(".graph-node").count()) < 3) throw new Error("the graph has no causes");
    },
    elsewhere: ({ page }) => hasNoTab(page, "Why"),
  },
  {
    name: "why: the effects of a change of the image",
    needs: "history",
    async run({ page, kubectl }) {
      kubectl("set", "image", "deployment/web", "nginx=nginx:3");
      kubectl("rollout", "status", "deployment/web", "--timeout=60s");
      await visit(page, `${web}?tab=changes`);
      await page
        .locator(".changes tbody tr", { hasText: "nginx → nginx:3" })
        .first()
        .getByRole("button", { name: "Why" })
        .click();
      await see(page, ".graph-node", "ReplicaSet");
    },
    async clean({ kubectl }) {
      kubectl("set", "image", "deployment/web", "nginx=nginx");
      kubectl("rollout", "status", "deployment/web", "--timeout=60s");
    },
  },
];

import { follow, gone, longestMs, press, type Story, see, visit } from "./story.js";

export const tableStories: readonly Story[] = [
  {
    name: "overview: pods by status, and how full nodes are",
    picture: "overview",
    isShort: true,
    async run({ page, nodes }) {
      await visit(page, "#/");
      await see(page, ".counts", "Running");
      await see(page, ".nodes", nodes[0] ?? "");
    },
  },
  {
    name: "table: a pod that is created outside appears, and one that is deleted goes",
    isShort: true,
    async run({ page, kubectl }) {
      await visit(page, "#/t/v1/configmaps?ns=default");
      kubectl("create", "configmap", "appears", "--from-literal=a=b");
      await see(page, ".rows", "appears");
      kubectl("delete", "configmap", "appears");
      await gone(page, ".rows a", "appears");
    },
  },
  {
    name: "table: a filter leaves one row, and its problem is named",
    isShort: true,
    async run({ page, nodes }) {
      await visit(page, "#/t/v1/nodes");
      await see(page, ".rows", nodes[1] ?? "");
      await page.keyboard.press("/");
      await page.locator("input[aria-label=Filter]:focus").waitFor();
      await page.keyboard.type(`name=${nodes[1]}`);
      await see(page, ".count", `1 of ${nodes.length}`);
      await page.getByLabel("Filter").fill("colour=red");
      await see(page, ".filter", "there is no column");
    },
  },
  {
    name: "table: without rows a sentence is shown, with a filter another one",
    async run({ page, look }) {
      await visit(page, "#/t/batch/v1/cronjobs?ns=default");
      await see(page, ".empty", "There are no cronjobs in default");
      await look("no rows");
      await visit(page, "#/t/v1/nodes?filter=name%3Dnone");
      await see(page, ".empty", /None of \d+ matches/);
    },
  },
  {
    name: "table: the order of a column, from its head",
    async run({ page, nodes }) {
      await visit(page, "#/t/v1/nodes");
      await press(page, /^Name/);
      await see(page, ".rows .row:first-child .name", nodes[0] ?? "");
      await press(page, /^Name/);
      await see(page, ".rows .row:first-child .name", nodes.at(-1) ?? "");
    },
  },
  {
    name: "table: rows that are selected are deleted together, after a dry run",
    isShort: true,
    async run({ page, kubectl, look }) {
      for (const name of ["bulk-a", "bulk-b"]) kubectl("create", "configmap", name);
      await visit(page, "#/t/v1/configmaps?ns=default&filter=bulk");
      await page.getByLabel("Select bulk-a").check({ timeout: longestMs });
      await page.getByLabel("Select bulk-b").check({ timeout: longestMs });
      await see(page, ".bulk", "2 selected");
      await look("selection");
      await page.locator(".bulk").getByRole("button", { name: "Delete" }).click();
      await see(page, "dialog", "default/bulk-a, default/bulk-b");
      await see(page, "dialog", "The server would do it");
      await look("dialog");
      kubectl("get", "configmaps", "bulk-a", "bulk-b"); // what was tried was not done
      await page.locator("dialog").getByRole("button", { name: "Delete" }).click();
      await gone(page, ".rows a", "bulk-");
    },
  },
  {
    name: "table: names and labels as long as they may be stay inside their columns",
    async run({ page, kubectl, look }) {
      const long = "a-very-long-name-that-somebody-has-made-".repeat(6).slice(0, 240);
      kubectl("create", "configmap", `${long}x`, "--from-literal=a=b");
      kubectl("label", "configmap", `${long}x`, `long=${"v".repeat(63)}`);
      await visit(page, `#/o/v1/configmaps/default/${long}x`);
      await see(page, ".object-head h1", long);
      await look("object");
      await visit(page, "#/t/v1/configmaps?ns=default");
      await see(page, ".rows", long);
      const wide = await page.evaluate(
        () =>
          (globalThis as unknown as { document: { documentElement: { scrollWidth: number; clientWidth: number } } })
            .document.documentElement.scrollWidth > 1440,
      );
      if (wide) throw new Error("the page is wider than its window");
    },
    async clean({ kubectl }) {
      kubectl("delete", "configmaps", "-l", "long");
    },
  },
  {
    name: "search: Ctrl-K finds a deployment by its name and opens it",
    async run({ page, look }) {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("web");
      await see(page, ".palette li", "Deployment in default");
      await look("dialog");
      await page.locator(".palette li", { hasText: "Deployment in default" }).click();
      await see(page, ".object-head h1", "web");
    },
  },
  {
    name: "keyboard: from the search to a pod's logs and back without the pointer",
    async run({ page, look }) {
      await visit(page, "#/");
      await page.keyboard.press(":");
      await page.keyboard.type("pods\n"); // faster than what is found
      await see(page, ".rows .name", "web-");
      await page.locator("#rows").focus();
      await page.keyboard.press("j");
      await see(page, ".row.current", "web-");
      await page.keyboard.press("l");
      await see(page, ".logs .toolbar", /lines of 1 pod/);
      await page.goBack();
      await see(page, ".rows .name", "web-");
      await page.keyboard.press("?");
      await see(page, "dialog", "search everything");
      await look("all keys");
      await page.keyboard.press("Escape");
      await gone(page, "dialog h2", "Keys");
    },
  },
  {
    name: "errors: a kind that is not served, an object that is not there",
    async run({ page, look }) {
      await visit(page, "#/t/example.org/v1/nothings");
      await see(page, ".empty", "does not serve nothings of example.org");
      await look("kind");
      await visit(page, "#/o/v1/configmaps/default/never-was");
      await see(page, ".panel", "There is no such object");
    },
  },
  {
    name: "links: every entry of the navigation opens a view without a problem",
    async run({ page }) {
      await visit(page, "#/");
      const closed = page.locator(".navigation details:not([open]) > summary");
      while ((await closed.count()) > 0) await closed.first().click();
      const names = await page.locator(".navigation a").allTextContents();
      for (const name of new Set(names)) {
        await follow(page, ".navigation", new RegExp(`^${name}$`));
        await page.locator("main h1").first().waitFor({ timeout: longestMs });
        await see(page, ".navigation [aria-current=page]", name);
        await page.locator(".count", { hasText: "loading" }).waitFor({ state: "detached", timeout: longestMs });
        if ((await page.locator(".problem").count()) > 0)
          throw new Error(`${name}: ${await page.locator(".problem").first().textContent()}`);
      }
    },
  },
];

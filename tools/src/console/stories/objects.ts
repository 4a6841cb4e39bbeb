import { gone, longestMs, press, type Story, see, visit } from "./story.js";

const web = "#/o/apps/v1/deployments/default/web";

export const objectStories: readonly Story[] = [
  {
    name: "object: owners as a tree, and events",
    async run({ page }) {
      await visit(page, web);
      await see(page, ".tree", "ReplicaSet");
      await see(page, ".summary", "ScalingReplicaSet");
    },
  },
  {
    name: "object: what a pod uses now, and the pods of a node",
    needs: "metrics",
    async run({ page, kubectl }) {
      const pod = kubectl("get", "pods", "-l", "app=web", "-o", "jsonpath={.items[0].metadata.name}");
      await visit(page, `#/o/v1/pods/default/${pod}`);
      await see(page, ".usage", /CPU\s*0\.\d+ cores/);
      await see(page, ".usage", /Memory\s*[\d.]+ MiB/);
      await visit(page, "#/nodes");
      await page
        .locator(".nodes tbody a", { hasText: /[1-9]\d* of \d+ pods/ })
        .first()
        .click({ timeout: longestMs });
      await see(page, ".rows", "web-");
    },
    async elsewhere({ page, kubectl }) {
      const pod = kubectl("get", "pods", "-l", "app=web", "-o", "jsonpath={.items[0].metadata.name}");
      await visit(page, `#/o/v1/pods/default/${pod}`);
      await see(page, ".facts", "nginx");
      if ((await page.locator(".usage").count()) > 0) throw new Error("something is measured");
    },
  },
  {
    name: "action: scaling shows the dry run, then is done",
    async run({ page, kubectl, look }) {
      await visit(page, web);
      await page.getByLabel("Replicas").fill("4");
      await page.getByRole("button", { name: "Scale", exact: true }).click();
      await see(page, ".difference .new", "replicas: 4");
      await page.locator("dialog summary").click();
      await look("dialog");
      await press(page, "Scale to 4");
      await see(page, ".facts", "of 4");
      kubectl("scale", "deployment", "web", "--replicas=3");
    },
  },
  {
    name: "editor: the server's error while one types, in its own words",
    async run({ page, look }) {
      await visit(page, `${web}?tab=yaml`);
      await see(page, ".cm-content", "replicas");
      await page
        .locator(".cm-line", { hasText: /^ {2}replicas: 3$/ })
        .first()
        .click();
      await page.keyboard.press("End");
      await page.keyboard.press("Backspace");
      await page.keyboard.type("-1");
      await page.locator(".cm-lintRange-error").first().waitFor({ timeout: longestMs });
      await see(page, ".owners", "kubectl");
      await look("error");
      await press(page, "Undo all");
    },
  },
  {
    name: "editor: an edit is shown as a difference, then saved",
    isShort: true,
    async run({ page, kubectl }) {
      kubectl("create", "configmap", "edited", "--from-literal=colour=red");
      await visit(page, "#/o/v1/configmaps/default/edited?tab=yaml");
      await page.locator(".cm-line", { hasText: "colour: red" }).click({ timeout: longestMs });
      await page.keyboard.press("End");
      await page.keyboard.type("dish");
      await press(page, /^Save/);
      await see(page, ".difference .new", "colour: reddish");
      await page.locator("dialog").getByRole("button", { name: "Save" }).click();
      await see(page, ".toolbar", "as on the server");
      const colour = kubectl("get", "configmap", "edited", "-o", "jsonpath={.data.colour}");
      if (colour !== "reddish") throw new Error(`the colour is ${colour}`);
    },
    async clean({ kubectl }) {
      kubectl("delete", "configmap", "edited");
    },
  },
  {
    name: "editor: a conflict of server-side apply names the other manager",
    async run({ page, kubectl, look }) {
      kubectl("create", "configmap", "contested", "--from-literal=colour=red", "--field-manager=somebody");
      await visit(page, "#/o/v1/configmaps/default/contested?tab=yaml");
      await page.locator(".cm-line", { hasText: "colour: red" }).click({ timeout: longestMs });
      await page.keyboard.press("End");
      await page.keyboard.type("dish");
      await press(page, "Apply …");
      await see(page, "dialog", /conflict.*somebody/);
      await see(page, "dialog", "takes them over");
      await look("dialog");
      await page.keyboard.press("Escape");
      await press(page, "Undo all");
    },
    async clean({ kubectl }) {
      kubectl("delete", "configmap", "contested");
    },
  },
  {
    name: "logs: the lines of all pods of a workload, and a search among them",
    needs: "simulation",
    async run({ page, feed }) {
      feed(talkative, "apply", "-f", "-");
      await visit(page, "#/o/apps/v1/deployments/default/talks?tab=logs");
      await see(page, ".logs .toolbar", /[1-9]\d* lines of 2 pods/);
      await see(page, ".log-line", "hello");
      await page.getByLabel("Search in the log").fill("nothing like it");
      await see(page, ".logs .empty", "No line matches");
      await page.getByLabel("Search in the log").fill("hello");
      await see(page, ".log-line", "hello");
    },
    async clean({ kubectl }) {
      kubectl("delete", "deployment", "talks");
    },
  },
  {
    name: "logs: pods that cannot start yet are followed once they have",
    needs: "simulation",
    async run({ page, feed, kubectl, nodes }) {
      kubectl("cordon", ...nodes);
      feed(talkative.replaceAll("talks", "later"), "apply", "-f", "-");
      await visit(page, "#/o/apps/v1/deployments/default/later?tab=logs");
      await see(page, ".logs .toolbar", "0 lines of 2 pods");
      await see(page, ".navigation [aria-current=page]", "Deployments");
      kubectl("uncordon", ...nodes);
      await see(page, ".log-line", "hello");
      await gone(page, ".logs .problem", "");
    },
    async clean({ kubectl, nodes }) {
      kubectl("uncordon", ...nodes);
      kubectl("delete", "deployment", "later");
    },
  },
  {
    name: "terminal: a command's output is shown",
    needs: "simulation",
    async run({ page, kubectl }) {
      const pod = kubectl("get", "pods", "-l", "app=web", "-o", "jsonpath={.items[0].metadata.name}");
      await visit(page, `#/o/v1/pods/default/${pod}?tab=terminal`);
      const frame = page.frameLocator("iframe");
      const shows = (text: string): Promise<void> =>
        frame.locator("body", { hasText: text }).waitFor({ timeout: longestMs });
      await shows("#");
      await frame.locator(".xterm-screen").click();
      await page.keyboard.type("echo con$((1))sole\n");
      await shows("con1sole");
    },
  },
  {
    name: "map: a deployment with its owner tree, service, policy and volume",
    picture: "map",
    isShort: true,
    async run({ page, feed }) {
      feed(neighbours, "apply", "-f", "-");
      await visit(page, `${web}?tab=map`);
      for (const text of ["web-front", "web-guard", "ReplicaSet", "Node"]) await see(page, ".graph-node", text);
    },
    async clean({ feed }) {
      feed(neighbours, "delete", "-f", "-");
    },
  },
  {
    name: "ports: a port of this machine leads to a port of a pod, and is closed again",
    needs: "simulation",
    async run({ page, kubectl, look }) {
      const pod = kubectl("get", "pods", "-l", "app=web", "-o", "jsonpath={.items[0].metadata.name}");
      await visit(page, `#/o/v1/pods/default/${pod}?tab=ports`);
      await page.getByLabel("Port of the pod").fill("80");
      await press(page, "Forward");
      const link = page.locator(".ports a", { hasText: "127.0.0.1:" });
      await link.waitFor({ timeout: longestMs });
      const address = (await link.getAttribute("href")) ?? "";
      await look("open");
      const answer = await fetch(address);
      if (answer.status !== 200) throw new Error(`${address} answers ${answer.status}`);
      await press(page, "Close");
      await see(page, ".ports", "None.");
      const closed = await fetch(address).then(
        () => false,
        () => true,
      );
      if (!closed) throw new Error(`${address} is still open`);
    },
  },
];

const talkative = JSON.stringify({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "talks", namespace: "default" },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: "talks" } },
    template: {
      metadata: { labels: { app: "talks" } },
      spec: {
        containers: [{ name: "talks", image: "busybox", command: ["sh", "-c", "echo hello from here; sleep 100000"] }],
      },
    },
  },
});

const neighbours = JSON.stringify({
  apiVersion: "v1",
  kind: "List",
  items: [
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web-front", namespace: "default" },
      spec: { selector: { app: "web" }, ports: [{ port: 80 }] },
    },
    {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name: "web-guard", namespace: "default" },
      spec: { podSelector: { matchLabels: { app: "web" } }, policyTypes: ["Ingress"] },
    },
  ],
});

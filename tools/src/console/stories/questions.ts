import type { Page } from "playwright-core";
import { follow, longestMs, press, type Story, type StoryContext, see, visit } from "./story.js";

/** The most clicks that a question of docs/console.md may need from the first page on. */
const mostClicks = 3;

interface Question {
  readonly question: string;
  readonly needs?: Story["needs"];
  /** What must be so before somebody asks. Answers what the way needs to know. */
  prepare?(context: StoryContext): string;
  /** From the overview to the answer, by clicks and by typing. */
  ask(page: Page, prepared: string): Promise<void>;
  clean?(context: StoryContext): void;
}

const questions: readonly Question[] = [
  {
    question: "which node is full?",
    async ask(page) {
      await follow(page, ".navigation", "Nodes");
      await page.getByLabel("Order").click();
      await page.getByLabel("Order").selectOption("pods");
      // Once pods are counted, the first is one that has some.
      await see(page, ".nodes tbody tr:first-child td:nth-child(3)", /^[1-9]\d* of/);
    },
  },
  {
    question: "what is not running?",
    prepare: ({ kubectl }) => kubectl("run", "stuck", "--image=nginx", `--overrides=${giant}`),
    async ask(page) {
      await follow(page, ".counts", /Pending/);
      await see(page, ".rows", "stuck");
    },
    clean: ({ kubectl }) => void kubectl("delete", "pod", "stuck", "--now"),
  },
  {
    question: "why is this pod pending?",
    prepare: ({ kubectl }) => kubectl("run", "stuck", "--image=nginx", `--overrides=${giant}`),
    async ask(page) {
      await follow(page, ".navigation", "Pods");
      await follow(page, ".rows", "stuck");
      await see(page, ".why", /Insufficient cpu/);
      await see(page, ".misfits tr", /(?:node|kwok)-\d+.*cpu: 9999 wanted, [\d.]+ of [\d.]+ free/);
    },
    clean: ({ kubectl }) => void kubectl("delete", "pod", "stuck", "--now"),
  },
  {
    question: "who changed the image?",
    needs: "history",
    prepare: ({ kubectl }) => kubectl("set", "image", "deployment/web", "nginx=nginx:2"),
    async ask(page) {
      await openWeb(page);
      await page.getByRole("tab", { name: "Changes" }).click();
      const line = page.locator(".changes tbody tr", { hasText: "nginx → nginx:2" }).first();
      await line.waitFor({ timeout: longestMs });
      const who = await line.locator("td").nth(2).textContent();
      if (!who?.includes("kubernetes-admin")) throw new Error(`the image was changed by ${who}`);
    },
  },
  {
    question: "what was it before?",
    needs: "history",
    async ask(page) {
      await openWeb(page);
      await page.getByRole("tab", { name: "Changes" }).click();
      await see(page, ".changes tbody tr", "image: nginx → nginx:2");
    },
    clean: ({ kubectl }) => void kubectl("set", "image", "deployment/web", "nginx=nginx"),
  },
  {
    question: "what happened in the last minutes?",
    async ask(page) {
      await follow(page, ".navigation", "Timeline");
      await see(page, ".entries", "ScalingReplicaSet");
    },
  },
  {
    question: "how did the cluster look a moment ago?",
    needs: "history",
    async ask(page) {
      await page.getByTitle("Look at the past").click();
      await page.getByRole("slider").focus();
      for (let step = 0; step < 3; step++) await page.keyboard.press("ArrowRight");
      await press(page, /^Show 10s ago$/);
      await page.getByRole("button", { name: "Back to live" }).waitFor({ timeout: longestMs });
      await follow(page, ".navigation", "Deployments");
      await see(page, ".count", "as it was");
      await see(page, ".rows", "web");
      await visit(page, "#/?at=");
    },
  },
  {
    question: "what does the whole workload write?",
    async ask(page) {
      await openWeb(page);
      await page.getByRole("tab", { name: "Logs" }).click();
      await see(page, ".logs .toolbar", /lines of 3 pods/);
    },
  },
  {
    question: "may this user delete pods, and by which binding?",
    prepare: ({ kubectl }) => kubectl("create", "clusterrolebinding", "ann-edits", "--clusterrole=edit", "--user=ann"),
    async ask(page) {
      await follow(page, ".navigation", "Who may what");
      await page.getByLabel("User").focus();
      await page.keyboard.type("ann\n");
      await page.getByRole("button", { name: "delete pods: yes" }).click({ timeout: longestMs });
      await see(page, ".reason", "ann-edits");
    },
    clean: ({ kubectl }) => void kubectl("delete", "clusterrolebinding", "ann-edits"),
  },
  {
    question: "which field does the autoscaler own?",
    prepare: ({ kubectl }) =>
      kubectl(
        "patch",
        "deployment/web",
        "--field-manager=horizontal-pod-autoscaler",
        "--type=merge",
        '-p={"spec":{"minReadySeconds":1}}',
      ),
    async ask(page) {
      await openWeb(page);
      await page.getByRole("tab", { name: "YAML" }).click();
      await see(page, ".owners", "horizontal-pod-autoscaler");
    },
    clean: ({ kubectl }) =>
      void kubectl("patch", "deployment/web", "--type=merge", '-p={"spec":{"minReadySeconds":0}}'),
  },
];

const giant = JSON.stringify({
  spec: { containers: [{ name: "stuck", image: "nginx", resources: { requests: { cpu: "9999" } } }] },
});

async function openWeb(page: Page): Promise<void> {
  await follow(page, ".navigation", "Deployments");
  await follow(page, ".rows", "web");
}

/** Pointer clicks of a person, as the page sees them. */
async function countClicks(page: Page, way: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const scope = globalThis as unknown as {
      clicks: number;
      counter?: (event: { isTrusted: boolean; detail: number }) => void;
      addEventListener(name: string, listener: unknown, capture: boolean): void;
    };
    scope.clicks = 0;
    if (scope.counter) return;
    // `detail` is 0 for what a key has clicked.
    scope.counter = ({ isTrusted, detail }) => {
      if (isTrusted && detail > 0) scope.clicks++;
    };
    scope.addEventListener("click", scope.counter, true);
  });
  await way();
  return page.evaluate(() => (globalThis as unknown as { clicks: number }).clicks);
}

/** The ten questions of docs/console.md, each answered within three clicks. */
export const questionStories: readonly Story[] = questions.map(({ question, needs, prepare, ask, clean }, at) => ({
  name: `question ${at + 1}: ${question}`,
  ...(needs && { needs }),
  ...(at === 0 && { isShort: true }),
  async run(context) {
    const { page } = context;
    await visit(page, "#/timeline");
    const prepared = prepare?.(context) ?? "";
    await visit(page, "#/");
    await see(page, ".overview h1", /./);
    try {
      const clicks = await countClicks(page, () => ask(page, prepared));
      if (clicks > mostClicks) throw new Error(`${clicks} clicks`);
    } finally {
      clean?.(context);
    }
  },
}));

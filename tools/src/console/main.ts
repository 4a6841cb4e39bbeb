import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { ownLauncher } from "../clients/index.js";
import { checkAccessibility } from "./check-accessibility.js";
import { findChromium, openBrowser } from "./open-browser.js";
import { stories } from "./stories.js";

const usage = `Runs the stories of the console in Chromium on a cluster of its own.

  --pictures DIR   keep a picture of each view, light and dark, wide and narrow
  --only WORD      only stories whose name has the word
`;

/** A cluster in a process of its own, and the link that it prints. */
async function startCluster(home: string): Promise<{ link: string; stop(): Promise<void> }> {
  const args = [ownLauncher, "up", "--in-memory", "--secure-port", "0", "--console-port", "0", "--name", "stories"];
  const up = spawn(process.execPath, args, { env: { ...process.env, COXSWAIN_HOME: home } });
  let printed = "";
  const link = await new Promise<string>((resolve, reject) => {
    up.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      const found = /open (http:\S+)/.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
    up.once("exit", (code) => reject(new Error(`coxswain up ended with ${code}: ${printed}`)));
  });
  return {
    link,
    async stop() {
      up.kill("SIGINT");
      await once(up, "exit");
    },
  };
}

async function takePictures(page: Page, folder: string, name: string): Promise<void> {
  const file = name.replaceAll(/[^a-z]+/gi, "-").slice(0, 40);
  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [1440, 390]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: width === 1440 ? 900 : 844 });
      await page.screenshot({ path: join(folder, `${file}-${colorScheme}-${width}.png`) });
    }
  await page.setViewportSize({ width: 1440, height: 900 });
}

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: { pictures: { type: "string" }, only: { type: "string" }, help: { type: "boolean" } },
  });
  if (values.help) return Number(!process.stdout.write(usage));
  const chromium = findChromium();
  if (chromium === undefined)
    throw new Error("there is no chromium: apt-get install chromium, or set COXSWAIN_CHROMIUM");
  if (values.pictures !== undefined) mkdirSync(values.pictures, { recursive: true });
  const home = mkdtempSync(join(tmpdir(), "coxswain-console-"));
  const cluster = await startCluster(home);
  const kubectl = (...args: string[]): string =>
    execFileSync("kubectl", ["--kubeconfig", join(home, "stories/kubeconfig"), ...args], { encoding: "utf8" });
  kubectl("create", "deployment", "web", "--image=nginx", "--replicas=3");
  kubectl("rollout", "status", "deployment", "web");
  const browser = await openBrowser(chromium);
  let failed = 0;
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(new URL(cluster.link).origin)) elsewhere.push(request.url());
    });
    await page.goto(cluster.link);
    await page.locator(".navigation").waitFor();
    for (const { name, run: perform } of stories.filter((story) => story.name.includes(values.only ?? ""))) {
      try {
        await perform({ page, kubectl });
        if (values.pictures !== undefined) await takePictures(page, values.pictures, name);
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          for (const line of await checkAccessibility(page)) throw new Error(`axe, ${colorScheme}: ${line}`);
        }
        console.log(`✓ ${name}`);
      } catch (error) {
        failed++;
        console.log(`✗ ${name}: ${(error as Error).message.split("\n").slice(0, 3).join(" ")}`);
        if (values.pictures !== undefined)
          await page.screenshot({ path: join(values.pictures, `failed-${failed}.png`) });
      }
    }
    if (elsewhere.length > 0) {
      failed++;
      console.log(`✗ asked for something elsewhere: ${elsewhere.join(", ")}`);
    }
  } finally {
    await browser.close();
    await cluster.stop();
    rmSync(home, { recursive: true, force: true });
  }
  console.log(`${stories.length} stories, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await run();

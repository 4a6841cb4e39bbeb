import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser, CDPSession, Page } from "playwright-core";
import { ownLauncher } from "../../clients/index.js";
import { findChromium, openBrowser } from "../open-browser.js";
import { printedLink } from "../servers/printed-link.js";
import { type FrameWork, frameWork, type TraceEvent } from "./frame-work.js";
import { startGeneratedServer } from "./generated-server.js";

const usage = `Measures the console with many pods that change, of a server that makes them up.

  --pods N       (default: 50000)
  --rate N       changes a second (default: 1000)
  --seconds N    of each part (default: 8)
  --profile      show where the page's thread spends its time while scrolling
`;

/** V8 goes on collecting what the changes left, on threads of its own, for some 30 seconds. */
const settleMs = 45_000;

interface Row {
  readonly what: string;
  readonly seen: string;
  readonly budget: string;
  readonly isKept: boolean;
}

const rows: Row[] = [];
const note = (what: string, seen: number, unit: string, most: number): void =>
  void rows.push({
    what,
    seen: `${seen.toFixed(seen < 10 ? 1 : 0)} ${unit}`,
    budget: `${most} ${unit}`,
    isKept: seen <= most,
  });

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      pods: { type: "string", default: "50000" },
      rate: { type: "string", default: "1000" },
      seconds: { type: "string", default: "8" },
      profile: { type: "boolean", default: false },
      help: { type: "boolean" },
    },
  });
  if (values.help) return Number(!process.stdout.write(usage));
  const chromium = findChromium();
  if (chromium === undefined)
    throw new Error("there is no chromium: apt-get install chromium, or set COXSWAIN_CHROMIUM");
  const home = mkdtempSync(join(tmpdir(), "coxswain-console-speed-"));
  const server = await startGeneratedServer(Number(values.pods));
  const kubeconfig = join(home, "kubeconfig");
  writeFileSync(kubeconfig, kubeconfigOf(server.url));
  const console = spawn(process.execPath, [ownLauncher, "console", "--kubeconfig", kubeconfig, "--port", "0"], {
    env: { ...process.env, COXSWAIN_HOME: home },
  });
  const browser = await openBrowser(chromium);
  try {
    const link = await printedLink(console);
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(link);
    await page.locator(".navigation").waitFor({ timeout: 60_000 });
    await measure(browser, page, {
      server,
      rate: Number(values.rate),
      seconds: Number(values.seconds),
      profile: values.profile,
      pods: Number(values.pods),
    });
  } finally {
    await browser.close();
    console.kill("SIGINT");
    if (console.exitCode === null) await once(console, "exit");
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
  return report(values.pods, values.rate);
}

interface Measuring {
  readonly server: Awaited<ReturnType<typeof startGeneratedServer>>;
  readonly rate: number;
  readonly seconds: number;
  readonly pods: number;
  readonly profile: boolean;
}

async function measure(
  browser: Browser,
  page: Page,
  { server, rate, seconds, pods, profile }: Measuring,
): Promise<void> {
  const count = pods.toLocaleString("en");
  await page.goto(`${new URL(page.url()).origin}/#/timeline`);
  await page.waitForTimeout(1500);
  note("first rows after the click", await timed(page, () => visit(page, "#/t/v1/pods"), ".rows .row"), "ms", 500);
  await page.locator(".count", { hasText: new RegExp(`^${count}`) }).waitFor({ timeout: 120_000 });
  await page.waitForTimeout(1500);
  note(
    "a filter",
    await timed(page, () => page.getByLabel("Filter").fill("status=Error node=node-7"), ".count", " of "),
    "ms",
    200,
  );
  await page.getByLabel("Filter").fill("");
  await page.locator(".count", { hasText: new RegExp(`^${count}`) }).waitFor();
  const sort = (): Promise<void> => page.getByRole("button", { name: "Status", exact: true }).click();
  note("an order", await timed(page, sort, ".rows .row:first-child", "Completed"), "ms", 200);
  server.setRate(rate);
  await page.waitForTimeout(2000);
  const frames = async (name: string, work: () => Promise<void>): Promise<void> => {
    const { frames: seen, median, p99, longestTask, longTasks } = await traced(browser, page, work);
    note(`${name}: work of a frame, p99 (median ${median.toFixed(2)} ms, ${seen} frames)`, p99, "ms", 4);
    note(`${name}: longest task (${longTasks} over 50 ms)`, longestTask, "ms", 50);
  };
  if (profile) await printProfile(page, () => scroll(page, seconds));
  await frames("scrolling", () => scroll(page, seconds));
  await frames("typing a filter", () => typeFilters(page, seconds));
  await frames("changing the order", () => changeOrder(page, seconds));
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  note("heap of the page", (await session.send("Runtime.getHeapUsage")).usedSize / 2 ** 20, "MB", 60);
  note("heap of the worker", await workerHeap(browser), "MB", 250);
  server.setRate(0);
  await page.waitForTimeout(settleMs);
  note("at rest, of a core", await restShare(browser, seconds), "%", 1);
}

const visit = (page: Page, hash: string): Promise<void> =>
  page.evaluate((wanted) => {
    (globalThis as unknown as { location: { hash: string } }).location.hash = wanted;
  }, hash);

/** Milliseconds from an act to what it brings about, on the page's clock; looked at in each frame. */
async function timed(page: Page, act: () => Promise<void>, selector: string, text = ""): Promise<number> {
  const waiting = page.evaluate(
    ([wanted, content]) =>
      new Promise<number>((resolve) => {
        const scope = globalThis as unknown as {
          document: { querySelector(selector: string): { textContent: string } | null };
          addEventListener(name: string, listener: () => void, options: object): void;
          requestAnimationFrame(callback: () => void): void;
          performance: { now(): number };
        };
        let began = scope.performance.now();
        const begin = (): void => void (began = scope.performance.now());
        for (const name of ["hashchange", "input", "click"])
          scope.addEventListener(name, begin, { once: true, capture: true });
        const look = (): void => {
          const found = scope.document.querySelector(wanted ?? "");
          if (found && found.textContent.includes(content ?? "")) resolve(scope.performance.now() - began);
          else scope.requestAnimationFrame(look);
        };
        look();
      }),
    [selector, text],
  );
  await act();
  return waiting;
}

async function traced(browser: Browser, page: Page, work: () => Promise<void>): Promise<FrameWork> {
  await browser.startTracing(page, {
    categories: ["toplevel", "devtools.timeline", "__metadata"],
  });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  return frameWork(traceEvents);
}

/** The functions that took most, by themselves. */
async function printProfile(page: Page, work: () => Promise<void>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Profiler.enable");
  await session.send("Profiler.start");
  await work();
  const { profile } = await session.send("Profiler.stop");
  const { nodes, samples = [], timeDeltas = [] } = profile;
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, lineNumber, columnNumber, url } }) => [
      id,
      `${functionName || "(no name)"} ${url.split("/").pop()}:${lineNumber}:${columnNumber}`,
    ]),
  );
  const spent = new Map<string, number>();
  for (const [at, id] of samples.entries()) {
    const name = names.get(id) ?? "";
    spent.set(name, (spent.get(name) ?? 0) + (timeDeltas[at] ?? 0) / 1000);
  }
  for (const [name, ms] of [...spent].sort(([, a], [, b]) => b - a).slice(0, 25))
    console.log(`${ms.toFixed(0).padStart(6)} ms  ${name}`);
}

/** Five rows in each frame, as a wheel does it. */
const scroll = (page: Page, seconds: number): Promise<void> =>
  page.evaluate(
    (ms) =>
      new Promise<void>((resolve) => {
        const scope = globalThis as unknown as {
          document: { getElementById(id: string): { scrollTop: number } };
          requestAnimationFrame(callback: () => void): void;
          performance: { now(): number };
        };
        const rows = scope.document.getElementById("rows");
        const end = scope.performance.now() + ms;
        const step = (): void => {
          rows.scrollTop += 140;
          if (scope.performance.now() < end) scope.requestAnimationFrame(step);
          else resolve();
        };
        step();
      }),
    seconds * 1000,
  );

async function typeFilters(page: Page, seconds: number): Promise<void> {
  const end = Date.now() + seconds * 1000;
  await page.getByLabel("Filter").focus();
  while (Date.now() < end) {
    await page.keyboard.type("status=Error node=node-7", { delay: 60 });
    await page.getByLabel("Filter").fill("");
  }
}

async function changeOrder(page: Page, seconds: number): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end)
    for (const name of ["Status", "Name", "Restarts", "Node"]) {
      await page.getByRole("columnheader", { name }).first().getByRole("button").click();
      await page.waitForTimeout(300);
    }
}

/** Megabytes after a collection. The worker is a target of its own, reached by messages. */
async function workerHeap(browser: Browser): Promise<number> {
  const session: CDPSession = await browser.newBrowserCDPSession();
  const { targetInfos } = await session.send("Target.getTargets");
  const targetId = targetInfos.find(({ type }) => type === "worker")?.targetId ?? "";
  const { sessionId } = await session.send("Target.attachToTarget", { targetId, flatten: false });
  const ask = (id: number, method: string): Promise<{ readonly usedSize: number }> =>
    new Promise((resolve) => {
      session.on("Target.receivedMessageFromTarget", ({ message }) => {
        const answer = JSON.parse(message) as { id?: number; result: { usedSize: number } };
        if (answer.id === id) resolve(answer.result);
      });
      void session.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id, method }) });
    });
  await ask(1, "HeapProfiler.collectGarbage");
  return (await ask(2, "Runtime.getHeapUsage")).usedSize / 2 ** 20;
}

/** Of all processes of the browser together, in percent of a core. */
async function restShare(browser: Browser, seconds: number): Promise<number> {
  const session: CDPSession = await browser.newBrowserCDPSession();
  const used = async (): Promise<number> => {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  };
  const before = await used();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  return (((await used()) - before) / seconds) * 100;
}

const kubeconfigOf = (server: string): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "generated",
    contexts: [{ name: "generated", context: { cluster: "generated", user: "nobody" } }],
    clusters: [{ name: "generated", cluster: { server } }],
    users: [{ name: "nobody", user: {} }],
  });

function report(pods: string, rate: string): number {
  console.log(`\n${pods} pods, ${rate} changes a second, load ${loadavg()[0]?.toFixed(0)}\n`);
  for (const { what, seen, budget, isKept } of rows)
    console.log(`${isKept ? "✓" : "✗"} ${what.padEnd(72)} ${seen.padStart(10)}   at most ${budget}`);
  return rows.every(({ isKept }) => isKept) ? 0 : 1;
}

process.exitCode = await run();

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findChromium } from "./open-browser.js";
import { runStories } from "./run-stories.js";
import { startOwn } from "./servers/start-own.js";
import { startUpstream } from "./servers/start-upstream.js";
import { stories } from "./stories/index.js";

const docs = fileURLToPath(new URL("../../../docs/pictures", import.meta.url));

const usage = `Runs the stories of the console in Chromium on a cluster of its own: each with axe in both themes, and a walk by the tab key.

  --server NAME    ours (default), or upstream: kube-apiserver with KWOK, where what needs our server is hidden with a sentence
  --pictures DIR   keep a picture of each view, light and dark, wide and narrow
  --docs           only the stories with a picture in docs/pictures, which are made anew
  --only WORDS     only stories whose name has one of the words (commas between them)
`;

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      server: { type: "string", default: "ours" },
      pictures: { type: "string" },
      docs: { type: "boolean", default: false },
      only: { type: "string", default: "" },
      help: { type: "boolean" },
    },
  });
  if (values.help) return Number(!process.stdout.write(usage));
  const chromium = findChromium();
  if (chromium === undefined)
    throw new Error("there is no chromium: apt-get install chromium, or set COXSWAIN_CHROMIUM");
  if (values.pictures !== undefined) mkdirSync(values.pictures, { recursive: true });
  const home = mkdtempSync(join(tmpdir(), "coxswain-console-"));
  const server = await (values.server === "upstream" ? startUpstream : startOwn)(home);
  try {
    const results = await runStories({
      chromium,
      server,
      stories: stories.filter(
        ({ name, picture }) =>
          values.only.split(",").some((word) => name.includes(word)) && (!values.docs || picture !== undefined),
      ),
      docs: values.docs ? docs : undefined,
      pictures: values.pictures,
      themes: ["light", "dark"],
      keyboard: true,
      onResult: ({ name, problem, isElsewhere }) =>
        console.log(
          `${problem === "" ? "✓" : "✗"} ${name}${isElsewhere ? " (not there)" : ""}${problem && `: ${problem}`}`,
        ),
    });
    const failed = results.filter(({ problem }) => problem !== "").length;
    console.log(`${results.length} stories, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  } finally {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

process.exitCode = await run();

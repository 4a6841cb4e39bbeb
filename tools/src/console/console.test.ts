import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findKubectl } from "../clients/index.js";
import { describeWith } from "../needs/index.js";
import { findChromium } from "./open-browser.js";
import { runStories } from "./run-stories.js";
import { startOwn } from "./servers/start-own.js";
import { stories } from "./stories/index.js";

const chromium = findChromium();
const need = {
  found: findKubectl("") === undefined ? undefined : chromium,
  missing: "chromium and kubectl (apt-get install chromium)",
  timeout: 300_000,
};

/** A slice of `npm run tool -- console`, which plays all stories in both themes. */
describeWith("the console in a browser", need, (found) => {
  it("short stories on a cluster of its own, with axe", async () => {
    const home = mkdtempSync(join(tmpdir(), "coxswain-console-"));
    const server = await startOwn(home);
    try {
      const short = stories.filter(({ isShort }) => isShort);
      const results = await runStories({
        chromium: found,
        server,
        stories: short,
        themes: ["light"],
        keyboard: false,
        onResult: () => {},
      });
      expect(results.filter(({ problem }) => problem !== "")).toEqual([]);
      expect(results).toHaveLength(short.length);
    } finally {
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    }
  });
});

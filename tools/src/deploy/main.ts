// npm run tool -- deploy: see `usage`.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureProgram, stopOnSignal } from "../upstream/index.js";
import { runAction, runGitlabJob } from "./ci-stories.js";
import { ensureDebianRoot } from "./debian-root.js";
import { buildAndRunImage } from "./image-story.js";
import { Machine } from "./machine.js";
import type { Story } from "./story.js";
import { runUnits } from "./units-story.js";

const usage = `npm run tool -- deploy [image] [units] [github] [gitlab]

Carries out the files in deploy, without Docker, GitHub and GitLab, each on a machine made of namespaces with Debian 12 and this machine's Node:
the Dockerfile's instructions and the container; the units with a systemd of their own; the action's steps; the job's scripts (both from
the last commit, with npm's packages from this machine's cache). Without names all four. Passes when every step ends well.
`;
const names = ["image", "units", "github", "gitlab"] as const;
type Name = (typeof names)[number];
const given = process.argv.slice(2);
const isName = (text: string): text is Name => (names as readonly string[]).includes(text);

async function main(chosen: readonly Name[]): Promise<number> {
  let label = "";
  const print = (line: string): void => void process.stdout.write(`${label}${line}\n`);
  const folder = await mkdtemp(join(tmpdir(), "coxswain-deploy-"));
  stopOnSignal(async () => {
    await Promise.all([...Machine.all].map((machine) => machine.stop()));
    await rm(folder, { recursive: true, force: true });
  });
  const story: Story = {
    workspace: fileURLToPath(new URL("../../../", import.meta.url)),
    base: await ensureDebianRoot(print),
    folder,
    kubectl: await ensureProgram("kubectl"),
    print,
  };
  const stories: Readonly<Record<string, () => Promise<void>>> = {
    // The machine of the units has the command from the image.
    image: async () => {
      const image = await buildAndRunImage(story);
      label = "units: ";
      if (chosen.includes("units")) await runUnits(story, image);
    },
    github: () => runAction(story),
    gitlab: () => runGitlabJob(story),
  };
  let failed = 0;
  try {
    for (const [name, run] of Object.entries(stories)) {
      if (!chosen.includes(name as Name) && !(name === "image" && chosen.includes("units"))) continue;
      label = `${name}: `;
      try {
        await run();
        print("passed");
      } catch (error) {
        failed++;
        print(`FAILED: ${(error as Error).stack}`);
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return failed === 0 ? 0 : 1;
}

if (given.every(isName)) process.exitCode = await main(given.length === 0 ? names : given);
else {
  process.stdout.write(usage);
  if (!given.includes("--help")) process.exitCode = 2;
}

import { join } from "node:path";
import type { Page } from "playwright-core";
import { checkAccessibility } from "./check-accessibility.js";
import { checkKeyboard } from "./check-keyboard.js";
import { openBrowser } from "./open-browser.js";
import { type ConsoleServer, kubectlOf } from "./servers/console-server.js";
import type { Story, StoryContext } from "./stories/index.js";
import { takeDocPicture, takePictures } from "./take-pictures.js";

export interface StoryResult {
  readonly name: string;
  /** "": it went well. */
  readonly problem: string;
  readonly isElsewhere: boolean;
}

export interface RunOptions {
  readonly chromium: string;
  readonly server: ConsoleServer;
  readonly stories: readonly Story[];
  /** Of each story, light and dark, wide and narrow. */
  readonly pictures?: string | undefined;
  /** Where pictures for the documentation go. */
  readonly docs?: string | undefined;
  /** Themes that axe looks at in each story. */
  readonly themes: readonly ("light" | "dark")[];
  /** Walk through what is shown by the tab key, too. */
  readonly keyboard: boolean;
  onResult(result: StoryResult): void;
}

/** Plays stories on one page after the other, and checks each picture with axe. The last result is about the network. */
export async function runStories(options: RunOptions): Promise<StoryResult[]> {
  const { server } = options;
  const clients = kubectlOf(server.kubeconfig);
  clients.kubectl("create", "deployment", "web", "--image=nginx", "--replicas=3");
  clients.kubectl("rollout", "status", "deployment", "web", "--timeout=120s");
  const browser = await openBrowser(options.chromium);
  const results: StoryResult[] = [];
  const note = (result: StoryResult): void => {
    results.push(result);
    options.onResult(result);
  };
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const elsewhere: string[] = [];
    const errors: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(new URL(server.link).origin)) elsewhere.push(request.url());
    });
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(server.link);
    await page.locator(".navigation").waitFor({ timeout: 60_000 });
    for (const story of options.stories) {
      const isElsewhere = story.needs !== undefined && !server.has.has(story.needs);
      if (isElsewhere && !story.elsewhere) continue;
      const look = (what: string): Promise<void> => lookAt(options, page, `${story.name}: ${what}`);
      const problem = await play(options, story, { page, look, ...clients, nodes: server.nodes }, isElsewhere);
      note({ name: story.name, problem: problem || errors.splice(0).join("; "), isElsewhere });
    }
    if (elsewhere.length > 0)
      note({ name: "nothing is fetched from elsewhere", problem: elsewhere.join(", "), isElsewhere: false });
  } finally {
    await browser.close();
  }
  return results;
}

async function play(options: RunOptions, story: Story, context: StoryContext, isElsewhere: boolean): Promise<string> {
  const { page } = context;
  const { pictures, docs } = options;
  try {
    await (isElsewhere ? story.elsewhere?.(context) : story.run(context));
    if (docs !== undefined && story.picture !== undefined) await takeDocPicture(page, docs, story.picture);
    await lookAt(options, page, story.name);
    return "";
  } catch (error) {
    if (pictures !== undefined)
      await page.screenshot({ path: join(pictures, `failed-${story.name.replaceAll(/[^a-z0-9]+/gi, "-")}.png`) });
    return (error as Error).message.split("\n").slice(0, 4).join(" ");
  } finally {
    await page.keyboard.press("Escape").catch(() => undefined); // a dialog that a failure left open
    await cleanUp(story, context);
  }
}

/** A story that failed half-way may have left nothing to undo, and a server that is gone cannot be asked. */
async function cleanUp(story: Story, context: StoryContext): Promise<void> {
  try {
    await story.clean?.(context);
  } catch (error) {
    console.warn(`after "${story.name}": ${(error as Error).message.split("\n").slice(0, 2).join(" ")}`);
  }
}

/** Pictures, axe and the tab key on what is shown now. @throws Error with the first problem */
async function lookAt({ pictures, themes, keyboard }: RunOptions, page: Page, name: string): Promise<void> {
  if (pictures !== undefined) await takePictures(page, pictures, name);
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    const [line] = await checkAccessibility(page);
    if (line !== undefined) throw new Error(`axe, ${colorScheme}: ${line}`);
  }
  const [unreached] = keyboard ? await checkKeyboard(page) : [];
  if (unreached !== undefined) throw new Error(unreached);
}

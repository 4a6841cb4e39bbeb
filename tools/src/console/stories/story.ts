import type { Page } from "playwright-core";

/** What a story is given: a page that is connected, and kubectl for what happens outside of it. */
export interface StoryContext {
  readonly page: Page;
  kubectl(...args: string[]): string;
  /** As kubectl, with a text on standard input. */
  feed(text: string, ...args: string[]): string;
  readonly nodes: readonly string[];
  /** Looks at what is shown now as at the end of each story: pictures, axe, keyboard. For what does not stay, as dialogs. */
  look(what: string): Promise<void>;
}

/** A story does something in a view and reads the result; it throws where that is not what should be. */
export interface Story {
  readonly name: string;
  /** What our server alone has: elsewhere the view has a sentence about it, and `elsewhere` reads that. */
  readonly needs?: "history" | "simulation" | "metrics";
  /** Name of its picture in docs/pictures, which `--docs` makes. */
  readonly picture?: string;
  /** It belongs to the short slice that `npm test` runs. */
  readonly isShort?: boolean;
  run(context: StoryContext): Promise<void>;
  /** Undoes what it did, also where it failed. */
  clean?(context: StoryContext): Promise<void>;
  /** Seen on a server without what the story needs: hidden, with a sentence. */
  elsewhere?(context: StoryContext): Promise<void>;
}

/** Milliseconds for something to appear: a busy machine is slow, and a failure takes as long as this. */
export const longestMs = 30_000;

/** Goes to a view as a link does. */
export const visit = (page: Page, hash: string): Promise<void> =>
  page.evaluate((wanted) => {
    (globalThis as unknown as { location: { hash: string } }).location.hash = wanted;
  }, hash);

export const see = (page: Page, selector: string, text: string | RegExp): Promise<void> =>
  page.locator(selector, { hasText: text }).first().waitFor({ timeout: longestMs });

export const gone = (page: Page, selector: string, text: string | RegExp): Promise<void> =>
  page.locator(selector, { hasText: text }).first().waitFor({ state: "detached", timeout: longestMs });

export const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole("button", { name }).first().click({ timeout: longestMs });

export const follow = (page: Page, scope: string, name: string | RegExp): Promise<void> =>
  page.locator(scope).getByRole("link", { name }).first().click({ timeout: longestMs });

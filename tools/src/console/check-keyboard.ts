import type { Page } from "playwright-core";

/** As much of the page's scope as is used here. */
interface Scope {
  reached?: Set<unknown>;
  readonly document: {
    readonly activeElement: Part | null;
    readonly body: Part;
    querySelector(selector: string): Part | null;
    addEventListener(name: "focusin", listener: (event: { target: unknown }) => void): void;
  };
}

interface Part {
  readonly tagName: string;
  readonly textContent: string;
  blur(): void;
  querySelectorAll(selector: string): Iterable<Part>;
  getAttribute(name: string): string | null;
  matches(selector: string): boolean;
  checkVisibility(): boolean;
}

const mostSteps = 2000;
/** So many in vain, and the walk has come round. */
const stepsWithoutNew = 12;

const controls = "a[href], button, input, select, textarea, summary, iframe, [role=tab], [role=option], [tabindex='0']";

/** Reached by arrows, letters or the space bar from what holds them, as WAI-ARIA's patterns and docs/console.md have it. */
const withinOthers = ":disabled, [role=tab], [role=option], .rows input[type=checkbox], .cm-editor *";

/** Walks through what is shown by the tab key; what is not come by, and what only a click does, one line each. */
export async function checkKeyboard(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    const scope = globalThis as unknown as Scope;
    if (!scope.reached) scope.document.addEventListener("focusin", ({ target }) => void scope.reached?.add(target));
    scope.reached = new Set();
    scope.document.activeElement?.blur();
  });
  let known = 0;
  for (let steps = 0, last = 0; steps < mostSteps && steps - last < stepsWithoutNew; steps++) {
    await page.keyboard.press("Tab");
    const { size, leaveBy } = await page.evaluate(() => {
      const { document, reached = new Set() } = globalThis as unknown as Scope;
      reached.add(document.activeElement); // a frame's own focus is no event here
      const isFrame = document.activeElement?.matches("iframe");
      const isEditor = document.activeElement?.matches(".cm-content");
      return { size: reached.size, leaveBy: isFrame ? "Control+F6" : isEditor ? "Escape" : "" };
    });
    // There the tab key is typed, unless this comes first.
    if (leaveBy !== "") await page.keyboard.press(leaveBy);
    if (size > known) last = steps;
    known = size;
  }
  const missed = await page.evaluate(
    ([all, others]) => {
      const { document, reached } = globalThis as unknown as Scope;
      const shown = document.querySelector("dialog[open]") ?? document.body;
      document.activeElement?.blur();
      return [...shown.querySelectorAll(all ?? "")]
        .filter((part) => part.checkVisibility() && !part.matches(others ?? "") && !reached?.has(part))
        .map(
          (part) =>
            `${part.tagName.toLowerCase()} "${(part.getAttribute("aria-label") ?? part.textContent).slice(0, 40)}"`,
        );
    },
    [controls, withinOthers],
  );
  const clicked = await onlyClicked(page);
  return [...missed.map((what) => `the tab key does not come to ${what}`), ...clicked];
}

/** Elements that listen for clicks and neither are controls nor stand for one inside of them. Only the debugger knows listeners. */
async function onlyClicked(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { result } = await session.send("Runtime.evaluate", {
    expression: `[...document.querySelectorAll("#console *")].filter((part) => !part.matches("${controls}") && !part.matches("${withinOthers}"))`,
  });
  const { result: parts } = await session.send("Runtime.getProperties", {
    objectId: result.objectId ?? "",
    ownProperties: true,
  });
  const problems: string[] = [];
  for (const { value } of parts) {
    if (value?.objectId === undefined) continue;
    const { listeners } = await session.send("DOMDebugger.getEventListeners", { objectId: value.objectId });
    if (!listeners.some(({ type }) => type === "click")) continue;
    const { result: hasControl } = await session.send("Runtime.callFunctionOn", {
      objectId: value.objectId,
      returnByValue: true,
      functionDeclaration: `function () { return this.matches("dialog") || this.querySelector("${controls}") !== null; }`,
    });
    if (hasControl.value !== true) problems.push(`only a click does something on ${value.description ?? "an element"}`);
  }
  await session.detach();
  return problems;
}

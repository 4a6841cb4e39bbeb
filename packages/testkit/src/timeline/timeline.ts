import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildTimeline, type TimelineOptions, type TimelineSources } from "./build-timeline.js";
import type { TimelineEntry } from "./timeline-entry.js";
import { type PageFacts, timelinePage } from "./timeline-page.js";
import { timelineText } from "./timeline-text.js";

/** What happened: who wrote what when, and which reconcile a write woke. */
export interface Timeline {
  /** In their order. */
  readonly entries: readonly TimelineEntry[];
  /** As lines of text. */
  toString(): string;
  /** As one HTML page that needs nothing else. */
  html(): string;
  /** Writes the page and answers its path. @default a file in the folder for temporary files */
  write(path?: string): string;
}

export function createTimeline(
  sources: TimelineSources,
  facts: Required<PageFacts>,
  options?: TimelineOptions,
): Timeline {
  // Made when somebody looks: most are only kept in case a test fails.
  let built: TimelineEntry[] | undefined;
  const entries = (): TimelineEntry[] => (built ??= buildTimeline(sources, options));
  const html = (): string => timelinePage(entries(), facts);
  return {
    get entries() {
      return entries();
    },
    toString: () => timelineText(entries()),
    html,
    write(path = join(tmpdir(), "coxswain-timelines", `${fileName(facts)}.html`)) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, html());
      return path;
    },
  };
}

const fileName = ({ title, seed }: Required<PageFacts>): string =>
  `${title.replaceAll(/[^\w.-]+/g, "-").slice(0, 80)}-${seed}`;

import { pageScript } from "./page-script.js";
import { pageStyle } from "./page-style.js";
import type { TimelineEntry } from "./timeline-entry.js";

export interface PageFacts {
  readonly title: string;
  /** Of a test. */
  readonly seed?: number;
}

/** One HTML page that needs nothing else: a picture of who wrote when and what that woke. */
export function timelinePage(entries: readonly TimelineEntry[], { title, seed }: PageFacts): string {
  const writes = entries.filter(({ is }) => is === "write").length;
  // "<" would end the script where a value contains "</script>".
  const data = JSON.stringify({ entries }, exact).replaceAll("<", String.raw`\u003c`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
<header>
<h1>${escape(title)}</h1>
<span class="facts">${seed === undefined ? "" : `seed ${seed} · `}${writes} writes · ${entries.length - writes} reconciles</span>
<label>lanes <select id="lanes"><option value="writer">by writer</option><option value="object">by object</option></select></label>
<input id="filter" placeholder="filter: name, kind, user, path …">
<span class="legend"><span><i style="background: var(--create)"></i>create</span><span><i style="background: var(--update)"></i>update</span><span><i style="background: var(--delete); border-radius: 1px; transform: rotate(45deg)"></i>delete</span><span><i class="bar" style="background: var(--work)"></i>reconcile</span></span>
</header>
<main></main>
<aside></aside>
<div id="tip"></div>
<script>
const data = ${data};
${pageScript}
</script>
</body>
</html>
`;
}

/** Integers beyond 2^53 are texts. */
const exact = (_key: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

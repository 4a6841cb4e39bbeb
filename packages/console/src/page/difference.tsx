import { diffLines, foldSame } from "../contract/line-diff.js";

const marks = { same: " ", gone: "−", new: "+", skipped: "…" } as const;

/** Two texts, line by line. */
export function Difference({
  before,
  after,
  label,
}: {
  readonly before: string;
  readonly after: string;
  readonly label: string;
}) {
  const lines = foldSame(diffLines(before, after));
  if (lines.every(({ kind }) => kind === "same" || kind === "skipped"))
    return <p class="muted">Nothing would change.</p>;
  return (
    <pre class="difference" aria-label={label} tabIndex={0}>
      {lines.map(({ kind, text }, at) => (
        <div key={at} class={kind}>
          <span aria-hidden="true">{marks[kind]}</span> {text}
        </div>
      ))}
    </pre>
  );
}

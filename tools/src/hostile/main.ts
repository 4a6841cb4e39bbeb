/**
 * npm run tool -- hostile [--seconds 5] [--only TEXT] [--launcher FILE]
 *
 * Lets one client do its worst, in each way that we know, while another user's GETs are timed; reports the latencies and what the server
 * still holds afterwards. Ends non-zero where a GET is not answered within half a second, or something is left behind. What counts is the
 * latency without the time in which the server waited for a processor that other programs had ("own"): on a quiet machine it is the same.
 */
import { parseArgs } from "node:util";
import type { VictimKind } from "./attack.js";
import { attacks } from "./attacks/index.js";
import { type Observations, observe, percentile } from "./bystander.js";
import { startVictim } from "./victim.js";
import { withstand } from "./withstand.js";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "5" },
    only: { type: "string", default: "" },
    launcher: { type: "string" },
  },
});
const maxGetMs = 500;
const until = (): (() => boolean) => {
  const end = performance.now() + Number(values.seconds) * 1000;
  return () => performance.now() > end;
};
const chosen = attacks.filter((attack) => attack.name.includes(values.only));
const column = (value: number | string, width: number): string => String(value).padStart(width);
const shown = ({ latencies, ownLatencies }: Pick<Observations, "latencies" | "ownLatencies">): string =>
  column(latencies.length, 7) +
  [0.5, 0.99, 1].map((part) => column(percentile(latencies, part).toFixed(1), 9)).join("") +
  [0.99, 1].map((part) => column(percentile(ownLatencies, part).toFixed(1), 9)).join("");

console.log(
  `${"attack".padEnd(64)}${"GETs".padStart(7)}${"p50 ms".padStart(9)}${"p99 ms".padStart(9)}${"max ms".padStart(9)}${"own p99".padStart(9)}${"own max".padStart(9)}  left behind`,
);
let failures = 0;
const all: number[] = [];

async function attackAll(kind: VictimKind): Promise<void> {
  const mine = chosen.filter(({ on = "apiserver" }) => on === kind);
  if (mine.length === 0) return;
  const victim = await startVictim({ kind, ...(values.launcher !== undefined && { launcher: values.launcher }) });
  const quiet = `nobody does anything to the ${kind === "cluster" ? "cluster" : "API server"}`;
  console.log(`${quiet.padEnd(64)}${shown(await observe(victim.bystander, victim.waitedMs, until()))}`);
  for (const { name } of mine) {
    const outcome = await withstand(victim, name, until());
    const { ownLatencies, failures: unanswered, leaks } = outcome;
    all.push(...ownLatencies);
    const problems = [
      ...(unanswered.length > 0 ? [`${unanswered.length} GETs failed: ${unanswered[0]}`] : []),
      ...(percentile(ownLatencies, 1) > maxGetMs ? [`a GET took longer than ${maxGetMs} ms`] : []),
      ...leaks,
    ];
    failures += problems.length;
    console.log(`${name.padEnd(64)}${shown(outcome)}  ${problems.join("; ")}`);
  }
  const code = await victim.stop();
  if (code === 0) return;
  failures++;
  console.error(`the server ended with ${code}:\n${victim.output()}`);
}

await attackAll("apiserver");
await attackAll("cluster");
all.sort((a, b) => a - b);
console.log(
  `\nall attacks, own: p50 ${percentile(all, 0.5).toFixed(1)} ms, p99 ${percentile(all, 0.99).toFixed(1)} ms, max ${percentile(all, 1).toFixed(1)} ms`,
);
process.exitCode = failures > 0 ? 1 : 0;

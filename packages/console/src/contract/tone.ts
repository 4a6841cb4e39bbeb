export type Tone = "ok" | "warn" | "bad" | "none";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const ok = words(
  "running ready active bound true succeeded completed complete available established approved approved,issued deployed healthy",
);
const warn = words(
  "pending containercreating terminating podinitializing schedulinggated released suspended progressing unknown " +
    "ready,schedulingdisabled warning",
);
const bad =
  /fail|error|crash|backoff|evicted|oomkilled|notready|lost|imagepull|invalid|denied|outof|deadline|nodeaffinity|unhealthy|refused/;

/** How a word of a status column is meant. */
export function toneOf(text: string): Tone {
  const word = text.toLowerCase();
  if (word === "" || word.length > 60) return "none";
  if (bad.test(word)) return "bad";
  if (ok.has(word)) return "ok";
  if (warn.has(word) || word.startsWith("init:")) return "warn";
  const share = /^(\d{1,9})\/(\d{1,9})$/.exec(word);
  if (share) return share[1] === share[2] ? "none" : "warn";
  return "none";
}

// A label selector over 10,000 pods, in units of one JSON.parse of a pod in the same run.
// node packages/apimachinery/bench/selector.mjs   (after a build)
import { parseLabelSelector } from "../dist/selector/index.js";
import { measureAll, report } from "./measure.mjs";
import { pod } from "./pod.mjs";

const text = JSON.stringify(pod);
const selector = parseLabelSelector("app in (web,api),tier!=test,track");
const labels = Array.from({ length: 10_000 }, (_, at) => ({
  app: at % 2 ? "web" : "db",
  tier: at % 3 ? "prod" : "test",
  track: "stable",
  "pod-template-hash": String(at),
}));
const match = () => {
  let count = 0;
  for (const each of labels) if (selector.matches(each)) count++;
  return count;
};
if (match() !== 3333) throw new Error(`the selector matches ${match()}`);

const units = measureAll({ "JSON.parse": () => JSON.parse(text) });
const results = measureAll({ "selector over 10,000 pods": match }, { rounds: 20, calls: 5 });
report({ ...units, ...results }, units["JSON.parse"]);
console.log(
  `selector over 10,000 pods: ${(results["selector over 10,000 pods"] / units["JSON.parse"]).toFixed(0)} × (budget 180)`,
);

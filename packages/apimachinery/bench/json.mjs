// The JSON codec beside JSON.parse and JSON.stringify of the same pod, in one run.
// node packages/apimachinery/bench/json.mjs   (after `npx tsc -b packages/api`)
import { builtInTypes } from "../../api/dist/tables/index.js";
import { cloneJson, decodeJson, encodeJson, equalJson, scanHead } from "../dist/json/index.js";
import { locateMetadata, spliceResourceVersion, withoutManagedFields } from "../dist/object/index.js";
import { measureAll, report } from "./measure.mjs";
import { pod } from "./pod.mjs";

const node = builtInTypes.get("io.k8s.api.core.v1.Pod");
const bytes = encodeJson(pod, node);
const text = JSON.stringify(pod);
const sorted = new TextEncoder().encode(JSON.stringify(sortKeys(pod)));
const object = decodeJson(bytes, node).object;
if (JSON.stringify(object) !== text || JSON.stringify(decodeJson(sorted, node).object) !== text)
  throw new Error("the pod of this bench is not canonical");

function sortKeys(value) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sortKeys);
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortKeys(value[key])]),
  );
}

const places = locateMetadata(bytes);
const results = measureAll({
  "JSON.parse": () => JSON.parse(text),
  "JSON.stringify": () => JSON.stringify(pod),
  "decodeJson, canonical": () => decodeJson(bytes, node),
  "decodeJson, strict": () => decodeJson(bytes, node, { strict: true }),
  "decodeJson, members by name (kubectl)": () => decodeJson(sorted, node),
  encodeJson: () => encodeJson(object, node),
  cloneJson: () => cloneJson(object),
  equalJson: () => equalJson(object, pod),
  scanHead: () => scanHead(bytes),
  locateMetadata: () => locateMetadata(bytes),
  "spliceResourceVersion, places known": () => spliceResourceVersion(bytes, 184468, places),
  "withoutManagedFields, places known": () => withoutManagedFields(bytes, places),
});
console.log(`a pod of ${bytes.length} bytes; the unit is one JSON.parse`);
report(results, results["JSON.parse"]);
const builtIn = results["JSON.parse"] + results["JSON.stringify"];
const ratio = (decode) => ((results[decode] + results.encodeJson) / builtIn).toFixed(2);
console.log(
  `decode + encode: ${ratio("decodeJson, canonical")} × JSON.parse + JSON.stringify (budget 2); members by name: ${ratio("decodeJson, members by name (kubectl)")} ×`,
);

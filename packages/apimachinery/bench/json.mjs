// The JSON codec beside JSON.parse and JSON.stringify of the same pod, in one run.
// node packages/apimachinery/bench/json.mjs   (after `npx tsc -b packages/api`)
import { builtInTypes } from "../../api/dist/tables/index.js";
import { cloneJson, decodeJson, encodeJson, equalJson, scanHead } from "../dist/json/index.js";
import { locateMetadata, spliceResourceVersion, withoutManagedFields } from "../dist/object/index.js";
import { measure, report } from "./measure.mjs";
import { pod } from "./pod.mjs";

const node = builtInTypes.get("io.k8s.api.core.v1.Pod");
const bytes = encodeJson(pod, node);
const text = JSON.stringify(pod);
const sorted = new TextEncoder().encode(JSON.stringify(sortKeys(pod)));
const object = decodeJson(bytes, node).object;
if (JSON.stringify(object) !== text || JSON.stringify(decodeJson(sorted, node).object) !== text) throw new Error("the pod of this bench is not canonical");

function sortKeys(value) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sortKeys);
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sortKeys(value[key])]));
}

const parse = measure(() => JSON.parse(text));
const stringify = measure(() => JSON.stringify(pod));
const decode = measure(() => decodeJson(bytes, node));
const decodeStrict = measure(() => decodeJson(bytes, node, { strict: true }));
const decodeSorted = measure(() => decodeJson(sorted, node));
const encode = measure(() => encodeJson(object, node));
console.log(`a pod of ${bytes.length} bytes; the unit is one JSON.parse`);
report("JSON.parse", parse, parse);
report("JSON.stringify", stringify, parse);
report("decodeJson, canonical", decode, parse);
report("decodeJson, strict", decodeStrict, parse);
report("decodeJson, members by name (kubectl)", decodeSorted, parse);
report("encodeJson", encode, parse);
report("cloneJson", measure(() => cloneJson(object)), parse);
report("equalJson", measure(() => equalJson(object, pod)), parse);
report("scanHead", measure(() => scanHead(bytes)), parse);
const places = locateMetadata(bytes);
report("locateMetadata", measure(() => locateMetadata(bytes)), parse);
report("spliceResourceVersion, places known", measure(() => spliceResourceVersion(bytes, 184468, places)), parse);
report("withoutManagedFields, places known", measure(() => withoutManagedFields(bytes, places)), parse);
console.log(`decode + encode: ${((decode + encode) / (parse + stringify)).toFixed(2)} × JSON.parse + JSON.stringify (budget 2); by name ${((decodeSorted + encode) / (parse + stringify)).toFixed(2)} ×`);

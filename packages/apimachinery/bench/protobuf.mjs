// Our protobuf codec beside protobufjs (code generated at run time) on the same message, in one run.
// node packages/apimachinery/bench/protobuf.mjs   (after `npx tsc -b packages/api`)
// protobufjs gives and takes messages as they are on the wire; ours gives and takes canonical JSON objects (times as text, and so on).
import protobuf from "protobufjs";
import { builtInTypes } from "../../api/dist/tables/index.js";
import { decodeProtobuf, encodeProtobuf } from "../dist/protobuf/index.js";
import { typeCodes } from "../dist/schema/index.js";
import { measureAll, report } from "./measure.mjs";
import { pod as wholePod } from "./pod.mjs";

// Without managedFields: they are JSON inside of protobuf, which protobufjs would only copy.
const pod = { ...wholePod, metadata: { ...wholePod.metadata } };
delete pod.metadata.managedFields;

const scalars = {
  [typeCodes.string]: "string",
  [typeCodes.bool]: "bool",
  [typeCodes.int32]: "int32",
  [typeCodes.int64]: "int64",
  [typeCodes.bytes]: "bytes",
  [typeCodes.float64]: "double",
};
const special = {
  Time: { seconds: { id: 1, type: "int64" }, nanos: { id: 2, type: "int32" } },
  Quantity: { string: { id: 1, type: "string" } },
  Raw: { raw: { id: 1, type: "bytes" } },
  IntOrString: { type: { id: 1, type: "int64" }, intVal: { id: 2, type: "int32" }, strVal: { id: 3, type: "string" } },
};
const specialNames = {
  [typeCodes.time]: "Time",
  [typeCodes.microTime]: "Time",
  [typeCodes.quantity]: "Quantity",
  [typeCodes.intOrString]: "IntOrString",
  [typeCodes.fieldsV1]: "Raw",
  [typeCodes.rawExtension]: "Raw",
};
const nested = Object.fromEntries(
  Object.entries(special).map(([name, fields]) => [name, { edition: "proto2", fields }]),
);
const nameOf = (node) => node.name.replaceAll(/[.-]/g, "_");

function typeOf(node) {
  if (scalars[node.code]) return scalars[node.code];
  if (specialNames[node.code]) return specialNames[node.code];
  if (!nested[nameOf(node)]) {
    nested[nameOf(node)] = {};
    const fields = {};
    for (const { number, field, inline } of node.message) {
      if (inline) fields[`inline${number}`] = { id: number, type: typeOf(inline) };
      else if (field.type.code === typeCodes.list)
        fields[field.name] = { id: number, rule: "repeated", type: typeOf(field.type.element) };
      else if (field.type.code === typeCodes.map)
        fields[field.name] = { id: number, keyType: "string", type: typeOf(field.type.element) };
      else fields[field.name] = { id: number, type: typeOf(field.type) };
    }
    nested[nameOf(node)] = { edition: "proto2", fields };
  }
  return nameOf(node);
}

const node = builtInTypes.get("io.k8s.api.core.v1.Pod");
const Type = protobuf.Root.fromJSON({
  edition: "proto2",
  nested: { all: { edition: "proto2", nested: (typeOf(node), nested) } },
}).lookupType(`all.${nameOf(node)}`);
const bytes = Buffer.from(encodeProtobuf(pod, node));
const message = Type.decode(bytes);
if (!Buffer.from(Type.encode(message).finish()).equals(bytes))
  console.log("(protobufjs writes other bytes: it leaves out what it did not read, or orders differently)");
const object = decodeProtobuf(bytes, node);

const plain = new Uint8Array(bytes);
const whole = Buffer.from(encodeProtobuf(wholePod, node));
const results = measureAll({
  "JSON round trip": () => JSON.parse(JSON.stringify(pod)),
  encodeProtobuf: () => encodeProtobuf(object, node),
  "protobufjs encode": () => Type.encode(message).finish(),
  decodeProtobuf: () => decodeProtobuf(bytes, node),
  "decodeProtobuf, not from a Buffer": () => decodeProtobuf(plain, node),
  "protobufjs decode": () => Type.decode(bytes),
  "encodeProtobuf, with managedFields": () => encodeProtobuf(wholePod, node),
  "decodeProtobuf, with managedFields": () => decodeProtobuf(whole, node),
});
console.log(`a pod of ${bytes.length} bytes; the unit is a JSON round trip`);
report(results, results["JSON round trip"]);
const ratio =
  (results.encodeProtobuf + results.decodeProtobuf) / (results["protobufjs encode"] + results["protobufjs decode"]);
console.log(`encode + decode: ${ratio.toFixed(2)} × protobufjs (budget 1)`);

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { builtInTypes } from "@coxswain/api/tables";
import { type MessageField, type SchemaNode, typeCodes } from "@coxswain/apimachinery/schema";
import { describeWith } from "@coxswain/tools/needs";
import { expect, it } from "vitest";
import { goModule, goModules } from "./go-module.js";
import { parseProto } from "./proto-file.js";

const modules: Record<string, string> = {
  "io.k8s.api": "k8s.io/api",
  "io.k8s.apimachinery": "k8s.io/apimachinery",
  "io.k8s.apiextensions-apiserver": "k8s.io/apiextensions-apiserver",
  "io.k8s.kube-aggregator": "k8s.io/kube-aggregator",
};
const directories = new Map(Object.entries(modules).map(([prefix, module]) => [prefix, goModule(module)]));
const found = ![...directories.values()].includes(undefined);

/** Types whose JSON or protobuf has a form of its own and which therefore are codes, not structs. */
const codes = new Set(
  "Time MicroTime Duration FieldsV1 Verbs RawExtension ExtraValue JSON JSONSchemaPropsOrBool JSONSchemaPropsOrArray JSONSchemaPropsOrStringArray Timestamp GroupVersion".split(
    " ",
  ),
);

const scalarTypes: Partial<Record<number, string>> = {
  [typeCodes.string]: "string",
  [typeCodes.bool]: "bool",
  [typeCodes.int32]: "int32",
  [typeCodes.int64]: "int64",
  [typeCodes.uint32]: "uint32",
  [typeCodes.float64]: "double",
  [typeCodes.bytes]: "bytes",
  [typeCodes.quantity]: "Quantity",
  [typeCodes.time]: "Time",
  [typeCodes.microTime]: "MicroTime",
  [typeCodes.duration]: "Duration",
  [typeCodes.intOrString]: "IntOrString",
  [typeCodes.rawExtension]: "RawExtension",
  [typeCodes.fieldsV1]: "FieldsV1",
  [typeCodes.json]: "JSON",
  [typeCodes.schemaOrBool]: "JSONSchemaPropsOrBool",
  [typeCodes.schemaOrArray]: "JSONSchemaPropsOrArray",
  [typeCodes.schemaOrStringArray]: "JSONSchemaPropsOrStringArray",
};

const shortName = (node: SchemaNode): string => node.name.slice(node.name.lastIndexOf(".") + 1);

function protoType(node: SchemaNode): string {
  if (node.code === typeCodes.list && node.element) return `repeated ${protoType(node.element)}`;
  if (node.code === typeCodes.map && node.element) return `map<string, ${protoType(node.element)}>`;
  if (node.code === typeCodes.wrappedStringList) return "wrapped";
  return scalarTypes[node.code] ?? shortName(node);
}

/** Names differ in spelling here and there ($ref and ref, uid and uID); protobuf itself knows only numbers. */
const plain = (name: string): string => name.replaceAll(/[^a-z]/gi, "").toLowerCase();

const describeField = ({ number, field, inline }: MessageField): string =>
  `${number} ${field ? `${plain(field.name)} ${protoType(field.type)}` : inline ? shortName(inline) : ""}`;

describeWith("protobuf numbers against generated.proto", { found, missing: goModules }, () => {
  const packages = new Set(builtInTypes.names().map((name) => name.slice(0, name.lastIndexOf("."))));
  for (const pkg of packages) {
    const [prefix = ""] = Object.keys(modules).filter((candidate) => pkg.startsWith(`${candidate}.`));
    const path = join(directories.get(prefix) ?? "", pkg.slice(prefix.length).replaceAll(".", "/"), "generated.proto");
    if (pkg.endsWith("pkg.version") || pkg.endsWith("pkg.types")) continue;
    it(pkg, () => {
      for (const [message, fields] of parseProto(readFileSync(path, "utf8"))) {
        if (codes.has(message)) continue;
        const node = builtInTypes.get(`${pkg}.${message}`);
        const inlined = new Map(
          node.message.flatMap((entry) => (entry.inline ? [[entry.number, shortName(entry.inline)]] : [])),
        );
        const expected = fields.map(({ number, name, type }) => {
          if (inlined.has(number)) return `${number} ${type}`;
          return `${number} ${plain(name)} ${type.replace(/\b(ExtraValue|Verbs)\b/, "wrapped")}`;
        });
        expect([message, ...node.message.map(describeField)]).toEqual([
          message,
          ...expected.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)),
        ]);
      }
    });
  }
});

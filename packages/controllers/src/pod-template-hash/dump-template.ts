import { getOwn, ownEntries } from "@coxswain/apimachinery/own";
import { compareUtf8 } from "@coxswain/apimachinery/text";
import { podTemplateLayout } from "../gen/pod-template-layout.js";
import { dumpQuantity } from "./dump-quantity.js";

type Json = Readonly<Record<string, unknown>>;

/**
 * The text that upstream hashes (pkg/util/hash/hash.go, DeepHashObject): a pod template as Go's debugging printer writes its struct, with the names and types of Go,
 * fields in their order there, and map keys sorted.
 *
 * Lists and maps without members are written as nil: an empty one does not survive storage. Times are zero: templates have none.
 */
export const dumpTemplate = (template: object): string => withType(0, template);

function withType(type: number, value: unknown): string {
  const [name] = typeAt(type);
  return `(${name})${withoutType(type, value)}`;
}

function withoutType(type: number, value: unknown): string {
  const node = typeAt(type);
  switch (node[1]) {
    case "string":
      return typeof value === "string" ? value : "";
    case "bool":
      return String(value === true);
    case "integer":
      return String(value ?? 0);
    case "quantity":
      return dumpQuantity(String(value ?? "0"));
    case "time":
      return "{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}";
    case "int-or-string": {
      const isText = typeof value === "string";
      return `{Type:(intstr.Type)${isText ? 1 : 0} IntVal:(int32)${isText ? 0 : Number(value ?? 0)} StrVal:(string)${isText ? value : ""}}`;
    }
    case "pointer":
      return value === undefined || value === null ? "<nil>" : withoutType(node[2], value);
    case "list": {
      const items = Array.isArray(value) ? (value as unknown[]) : [];
      return items.length === 0 ? "<nil>" : `[${items.map((item) => withoutType(node[2], item)).join(" ")}]`;
    }
    case "map": {
      const entries = ownEntries((value ?? {}) as Json).sort(([a], [b]) => compareUtf8(a, b));
      if (entries.length === 0) return "<nil>";
      return `map[${entries.map(([key, member]) => `${key}:${withoutType(node[2], member)}`).join(" ")}]`;
    }
    case "struct": {
      const object = (value ?? {}) as Json;
      const fields = node[2].map(
        ([name, json, of]) => `${name}:${withType(of, json === "" ? object : getOwn(object, json))}`,
      );
      return `{${fields.join(" ")}}`;
    }
  }
}

function typeAt(type: number): (typeof podTemplateLayout)[number] {
  const node = podTemplateLayout[type];
  if (node === undefined) throw new Error(`there is no Go type ${type}`);
  return node;
}

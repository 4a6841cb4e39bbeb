import { compareUtf8, encodeJson } from "@coxswain/apimachinery/json";
import { ownEntries, setOwn } from "@coxswain/apimachinery/own";
import { parseYaml } from "@coxswain/apimachinery/yaml";
import { jsonBody } from "./json-body.js";
import type { SentBody } from "./sent-body.js";

/** YAML goes by way of JSON. Keys that are there twice are one strict error more. Loaded with the first such body. */
export function yamlBody(bytes: Uint8Array): SentBody {
  const { value, strictError } = parseYaml(bytes);
  const body = jsonBody(encodeJson(sorted(value)));
  return {
    ...body,
    bytes,
    decode(node, options) {
      const decoded = body.decode(node, options);
      return options.strict === true && strictError !== undefined
        ? { ...decoded, warnings: [strictError, ...decoded.warnings] }
        : decoded;
    },
  };
}

/** Upstream's way to JSON puts all keys in order, and so are the unknown ones among them. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const out: Record<string, unknown> = {};
  for (const [key, member] of ownEntries<unknown>(value as Record<string, unknown>).sort(([a], [b]) =>
    compareUtf8(a, b),
  ))
    setOwn(out, key, sorted(member));
  return out;
}

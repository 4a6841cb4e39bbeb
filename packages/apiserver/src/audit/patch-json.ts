import { RawJson } from "./audit-event.js";

const decoder = new TextDecoder();

/** A patch as it was sent, without the space between its members. One that is no JSON (apply takes YAML) is recorded as a text. */
export function patchJson(bytes: Uint8Array): RawJson {
  const text = decoder.decode(bytes).trim();
  try {
    JSON.parse(text);
    return new RawJson(text.replace(/("(?:[^"\\]|\\.)*"?)|\s+/g, "$1"));
  } catch {
    return new RawJson(JSON.stringify(text));
  }
}

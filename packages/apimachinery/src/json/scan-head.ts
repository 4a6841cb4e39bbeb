import { decodeUtf8 } from "../text/utf8-bytes.js";
import { eachMember, isName } from "./skip.js";

/** What routing needs to know of an object. A member that is not there, or is no text, is "". */
export interface ObjectHead {
  apiVersion: string;
  kind: string;
  name: string;
  namespace: string;
}

/** Reads the head of an encoded object without parsing it. Of malformed text it returns what it has found so far; decoding reports the error. */
export function scanHead(bytes: Uint8Array): ObjectHead {
  const head: ObjectHead = { apiVersion: "", kind: "", name: "", namespace: "" };
  eachMember(bytes, 0, (name, value, end) => {
    if (isName(bytes, name, "apiVersion")) head.apiVersion = text(bytes, value, end);
    else if (isName(bytes, name, "kind")) head.kind = text(bytes, value, end);
    else if (isName(bytes, name, "metadata")) {
      eachMember(bytes, value, (inner, innerValue, innerEnd) => {
        if (isName(bytes, inner, "name")) head.name = text(bytes, innerValue, innerEnd);
        else if (isName(bytes, inner, "namespace")) head.namespace = text(bytes, innerValue, innerEnd);
      });
    }
  });
  return head;
}

function text(bytes: Uint8Array, value: number, end: number): string {
  if (bytes[value] !== 0x22) return "";
  try {
    return JSON.parse(decodeUtf8(bytes.subarray(value, end)) ?? '""') as string;
  } catch {
    return ""; // malformed: decoding reports it
  }
}

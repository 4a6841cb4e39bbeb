import type { GroupVersionKind } from "@coxswain/apimachinery/meta";
import { badRequest, type StatusError } from "@coxswain/apimachinery/status";
import type { AnyKind } from "@coxswain/kinds";

/** 400 for a body whose kind is known and that yet cannot become an object of `wanted`. */
export const cannotHandle = (sent: GroupVersionKind, wanted: AnyKind, why: string): StatusError =>
  badRequest(`${sent.kind} in version ${JSON.stringify(sent.version)} cannot be handled as a ${wanted.kind}: ${why}`);

/** 400 for a body of which not even the kind can be read. */
export const unrecognized = (wanted: AnyKind, why: string, bytes: Uint8Array): StatusError =>
  badRequest(`the object provided is unrecognized (must be of type ${wanted.kind}): ${why} (${summary(bytes)})`);

const longest = 30;

/** The start of a body that cannot be read: as text when it looks like an object, else as hexadecimal digits. */
function summary(bytes: Uint8Array): string {
  if (bytes.length === 0) return "<empty>";
  const start = Buffer.from(bytes.subarray(0, longest));
  return `${start.toString(bytes[0] === 0x7b ? "utf8" : "hex")}${bytes.length > longest ? " ..." : ""}`;
}

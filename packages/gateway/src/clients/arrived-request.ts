import { type BodyFraming, fieldValue, hasToken, type RequestHead } from "@coxswain/wire/http1";
import type { ArrivedRequest } from "../calls/client-call.js";

/** A request of HTTP/1.1. */
export const arrivedRequest = (
  head: RequestHead,
  framing: BodyFraming,
  { scheme, clientAddress }: { scheme: "http" | "https"; clientAddress: string },
): ArrivedRequest => ({
  method: head.method,
  scheme,
  authority: head.authority,
  target: head.target,
  fields: head.fields,
  hasBody: framing.kind !== "none" && !(framing.kind === "length" && framing.bytes === 0),
  bodyBytes: framing.kind === "length" ? framing.bytes : undefined,
  upgrade: upgradeOf(head, framing),
  protocol: head.minor === 0 ? "HTTP/1.0" : "HTTP/1.1",
  clientAddress,
});

/** HTTP/2 is no protocol to change to: behind it a backend would answer requests that nobody here has seen (h2c smuggling). */
function upgradeOf({ fields, minor }: RequestHead, framing: BodyFraming): string | undefined {
  if (minor === 0 || framing.kind !== "none" || !hasToken(fields, "connection", "upgrade")) return undefined;
  const asked = fieldValue(fields, "upgrade");
  return asked === undefined || asked === "" || /\bh2c?\b/i.test(asked) ? undefined : asked;
}

/** Whether another request may follow on the connection (RFC 9112, section 9.3). */
export const mayKeepOpen = ({ fields, minor }: RequestHead): boolean =>
  minor === 1 ? !hasToken(fields, "connection", "close") : hasToken(fields, "connection", "keep-alive");

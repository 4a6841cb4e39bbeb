import { fieldValue } from "@coxswain/wire/http1";
import type { AccessEntry } from "../engine/engine.js";
import type { ExchangeOutcome } from "../exchange/exchange-context.js";

/** Characters of what clients choose: a line of the log is bounded. */
const maxText = 256;

const short = (text: string): string => (text.length > maxText ? `${text.slice(0, maxText)}…` : text);

export const accessEntry = ({ listener, route, request, end, ms }: ExchangeOutcome): AccessEntry => ({
  client: request.clientAddress,
  protocol: request.protocol,
  method: short(request.method),
  host: short(request.authority),
  target: short(request.target),
  userAgent: short(fieldValue(request.fields, "user-agent") ?? ""),
  listener,
  route,
  endpoint: end.endpoint ? `${end.endpoint.address}:${end.endpoint.port}` : "",
  status: end.status,
  requestBytes: end.requestBytes,
  responseBytes: end.responseBytes,
  ms,
  attempts: end.attempts,
});

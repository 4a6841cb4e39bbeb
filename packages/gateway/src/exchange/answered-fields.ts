import type { Endpoint } from "@coxswain/api/endpoint-slices";
import type { Field } from "@coxswain/wire/http1";
import { changeFields } from "./change-fields.js";
import { isCorsField } from "./cors.js";
import { withoutHopByHop } from "./hop-by-hop.js";
import type { Forwarded } from "./plan-exchange.js";
import { sessionField } from "./session.js";

/** Pure: the lines of a backend's answer as the client gets them. */
export function answeredFields(
  received: readonly Field[],
  { responseChanges, cors, rule, endpoint: ofSession }: Forwarded,
  endpoint: Endpoint,
  now: number,
): readonly Field[] {
  let fields: readonly Field[] = withoutHopByHop(received);
  if (cors) fields = [...fields.filter(({ lower }) => !isCorsField(lower)), ...cors.fields];
  if (responseChanges.length > 0) fields = changeFields(fields, responseChanges);
  // A session that goes on keeps its token.
  if (rule.session && ofSession !== endpoint) fields = [...fields, sessionField(rule.session, endpoint, now)];
  return fields;
}

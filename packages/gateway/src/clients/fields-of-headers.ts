import type { Field } from "@coxswain/wire/http1";
import type { Header } from "@coxswain/wire/http2";

/** Fields of HTTP/2 without pseudo-header fields and Host. Cookies become one line (RFC 9113, section 8.2.3). */
export function fieldsOfHeaders(headers: readonly Header[]): Field[] {
  const fields: Field[] = [];
  let cookie = "";
  for (const [name, value] of headers)
    if (name === "cookie") cookie = cookie === "" ? value : `${cookie}; ${value}`;
    else if (name !== "host" && !name.startsWith(":")) fields.push({ name, lower: name, value });
  if (cookie !== "") fields.push({ name: "cookie", lower: "cookie", value: cookie });
  return fields;
}

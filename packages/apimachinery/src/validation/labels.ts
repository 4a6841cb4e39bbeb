import { append } from "../append/index.js";
import { utf8Length } from "../text/utf8-order.js";
import { checkDnsSubdomainBytes } from "./dns.js";
import { emptyMessage, maxBytesMessage, type Problems, regexMessage } from "./messages.js";

const name = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const value = `(${name})?`;
const namePattern = new RegExp(`^${name}$`);
const valuePattern = new RegExp(`^${value}$`);
const maxLength = 63;

const nameRule = regexMessage(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  name,
  "MyName",
  "my.name",
  "123-abc",
);

/** Keys that are right and short: nearly all of them. Longer ones could make the expression look back far. */
const ordinaryKey =
  /^(?:[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/** A qualified name: the key of a label or annotation, with or without a prefix `example.com/`. */
export function checkLabelKey(key: string): Problems {
  if (key.length <= maxLength && ordinaryKey.test(key)) return [];
  const parts = key.split("/");
  if (parts.length > 2)
    return [`a valid label key ${nameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  const own = parts[parts.length - 1] ?? "";
  const problems: Problems = [];
  if (parts.length === 2) {
    const prefix = parts[0] ?? "";
    const wrong = prefix === "" ? [emptyMessage] : checkDnsSubdomainBytes(prefix);
    append(
      problems,
      wrong.map((sentence) => `prefix part ${sentence}`),
    );
  }
  if (own === "") problems.push(`name part ${emptyMessage}`);
  else if (utf8Length(own) > maxLength) problems.push(`name part ${maxBytesMessage(maxLength)}`);
  if (!namePattern.test(own)) problems.push(`name part ${nameRule}`);
  return problems;
}

export function checkLabelValue(text: string): Problems {
  const problems = utf8Length(text) > maxLength ? [maxBytesMessage(maxLength)] : [];
  if (valuePattern.test(text)) return problems;
  const rule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  return [...problems, regexMessage(rule, value, "MyValue", "my_value", "12345")];
}

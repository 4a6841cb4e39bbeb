import { utf8Length } from "../text/utf8-order.js";
import { maxBytesMessage, maxLengthMessage, type Problems, regexMessage } from "./messages.js";

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomain = `${label}(\\.${label})*`;
const label1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
const labelWithUnderscore = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const subdomainWithUnderscore = `${labelWithUnderscore}(\\.${labelWithUnderscore})*`;
const wildcard = `\\*\\.${subdomain}`;

const labelPattern = new RegExp(`^${label}$`);
const subdomainPattern = new RegExp(`^${subdomain}$`);
// With "u" case folds as Go folds it: the Kelvin sign is a k there too.
const caselessSubdomainPattern = new RegExp(`^${subdomain}$`, "iu");
const label1035Pattern = new RegExp(`^${label1035}$`);
const subdomainWithUnderscorePattern = new RegExp(`^${subdomainWithUnderscore}$`);
const wildcardPattern = new RegExp(`^${wildcard}$`);

export const dnsLabelMaxLength = 63;
export const dnsSubdomainMaxLength = 253;

const tooLong = (value: string, max: number, message = maxLengthMessage): Problems =>
  utf8Length(value) > max ? [message(max)] : [];

/** A label of RFC 1123: lower case letters, digits and hyphens. */
export const checkDnsLabel = (value: string): Problems => checkLabel(value, maxLengthMessage);

/** The same rule as declarative validation words it: the limit is in bytes. */
export const checkDnsLabelBytes = (value: string): Problems => checkLabel(value, maxBytesMessage);

function checkLabel(value: string, message: (max: number) => string): Problems {
  const problems = tooLong(value, dnsLabelMaxLength, message);
  if (labelPattern.test(value)) return problems;
  if (subdomainPattern.test(value)) return [...problems, "must not contain dots"];
  const rule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  return [...problems, regexMessage(rule, label, "my-name", "123-abc")];
}

/** Labels of RFC 1123 joined by dots. */
export const checkDnsSubdomain = (value: string): Problems => checkSubdomain(value, maxLengthMessage);

/** The same rule as declarative validation and label keys word it: the limit is in bytes. */
export const checkDnsSubdomainBytes = (value: string): Problems => checkSubdomain(value, maxBytesMessage);

function checkSubdomain(value: string, message: (max: number) => string): Problems {
  const problems = tooLong(value, dnsSubdomainMaxLength, message);
  if (subdomainPattern.test(value)) return problems;
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  return [...problems, regexMessage(rule, subdomain, "example.com")];
}

/** A subdomain that may hold capitals: driver names of old. */
export function checkDnsSubdomainCaseless(value: string): Problems {
  const problems = tooLong(value, dnsSubdomainMaxLength, maxBytesMessage);
  if (caselessSubdomainPattern.test(value)) return problems;
  const rule =
    "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  return [...problems, regexMessage(rule, subdomain, "Example.com")];
}

/** A subdomain whose labels may begin with or hold an underscore: search domains of DNS. */
export function checkDnsSubdomainWithUnderscore(value: string): Problems {
  const problems = tooLong(value, dnsSubdomainMaxLength);
  if (subdomainWithUnderscorePattern.test(value)) return problems;
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character";
  return [...problems, regexMessage(rule, subdomainWithUnderscore, "example.com")];
}

/** A label of RFC 1035: begins with a letter. */
export function checkDns1035Label(value: string): Problems {
  const problems = tooLong(value, dnsLabelMaxLength);
  if (label1035Pattern.test(value)) return problems;
  const rule =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  return [...problems, regexMessage(rule, label1035, "my-name", "abc-123")];
}

/** `*.` and a subdomain. */
export function checkWildcardDnsSubdomain(value: string): Problems {
  const problems = tooLong(value, dnsSubdomainMaxLength);
  if (wildcardPattern.test(value)) return problems;
  const rule =
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";
  return [...problems, regexMessage(rule, wildcard, "*.example.com")];
}

import { utf8Length } from "../text/utf8-order.js";
import { checkDns1035Label, checkDnsLabel, checkDnsSubdomain, dnsSubdomainMaxLength } from "./dns.js";
import { emptyMessage, maxLengthMessage, type Problems, regexMessage } from "./messages.js";

/** Checks the name of an object. `prefix`: something will be appended, so that a trailing hyphen is allowed. */
export type NameCheck = (name: string, prefix?: boolean) => Problems;

/** Upstream takes two characters away for one hyphen; a check of a prefix therefore allows a name one byte longer. */
const maskTrailingHyphen = (name: string): string =>
  name.length > 1 && name.endsWith("-") ? `${name.slice(0, -2)}a` : name;

const named =
  (check: (name: string) => Problems): NameCheck =>
  (name, prefix = false) =>
    check(prefix ? maskTrailingHyphen(name) : name);

export const nameIsDnsSubdomain: NameCheck = named(checkDnsSubdomain);
export const nameIsDnsLabel: NameCheck = named(checkDnsLabel);
export const nameIsDns1035Label: NameCheck = named(checkDns1035Label);
export const checkNamespaceName: NameCheck = nameIsDnsLabel;
export const checkServiceAccountName: NameCheck = nameIsDnsSubdomain;

/** What stands in a URL path as one segment: RBAC names may be nearly anything else. */
export const checkPathSegmentName: NameCheck = (name, prefix = false) =>
  !prefix && (name === "." || name === "..") ? [`may not be '${name}'`] : checkPathSegmentPrefix(name);

export const checkPathSegmentPrefix = (name: string): Problems =>
  name.includes("/") || name.includes("%")
    ? ["/", "%"].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`)
    : [];

const cIdentifier = "[A-Za-z_][A-Za-z0-9_]*";
const cIdentifierPattern = new RegExp(`^${cIdentifier}$`);

export function checkCIdentifier(value: string): Problems {
  if (cIdentifierPattern.test(value)) return [];
  const rule =
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'";
  return [regexMessage(rule, cIdentifier, "my_name", "MY_NAME", "MyName")];
}

const headerName = "[-A-Za-z0-9]+";
const headerNamePattern = new RegExp(`^${headerName}$`);

export const checkHttpHeaderName = (value: string): Problems =>
  headerNamePattern.test(value)
    ? []
    : [regexMessage("a valid HTTP header must consist of alphanumeric characters or '-'", headerName, "X-Header-Name")];

const envVarName = "[-._a-zA-Z][-._a-zA-Z0-9]*";
const envVarNamePattern = new RegExp(`^${envVarName}$`);

export function checkEnvVarName(value: string): Problems {
  const rule =
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit";
  const wrong = envVarNamePattern.test(value)
    ? []
    : [regexMessage(rule, envVarName, "my.env-name", "MY_ENV.NAME", "MyEnvName1")];
  return [...wrong, ...checkNoParentFolder(value)];
}

/** What the feature gate RelaxedEnvironmentVariableValidation allows: printable ASCII except the equals sign. */
export function checkRelaxedEnvVarName(value: string): Problems {
  if (value === "") return [`environment variable name ${emptyMessage}`];
  return /^[ -<>-~]*$/.test(value)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

const configMapKey = "[-._a-zA-Z0-9]+";
const configMapKeyPattern = new RegExp(`^${configMapKey}$`);

/** A key of a ConfigMap or Secret: it may become a file name. */
export function checkConfigMapKey(value: string): Problems {
  const problems = utf8Length(value) > dnsSubdomainMaxLength ? [maxLengthMessage(dnsSubdomainMaxLength)] : [];
  if (!configMapKeyPattern.test(value)) {
    const rule = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
    problems.push(regexMessage(rule, configMapKey, "key.name", "KEY_NAME", "key-name"));
  }
  return [...problems, ...checkNoParentFolder(value)];
}

function checkNoParentFolder(value: string): Problems {
  if (value === "." || value === "..") return [`must not be '${value}'`];
  return value.startsWith("..") ? ["must not start with '..'"] : [];
}

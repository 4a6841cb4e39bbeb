import { type FieldError, type FieldPath, invalid, required } from "../field/index.js";
import { checkDnsLabel, checkDnsSubdomain } from "./dns.js";
import { checkLabelKey } from "./labels.js";
import { regexMessage } from "./messages.js";

type Path = FieldPath | undefined;

/** A domain of at least three segments, for signers and the like. */
export function validateFullyQualifiedName(name: string, path: Path): FieldError[] {
  if (name === "") return [required(path)];
  const wrong = checkDnsSubdomain(name);
  if (wrong.length > 0) return [invalid(path, name, wrong.join(","))];
  if (name.split(".").length < 3)
    return [invalid(path, name, "should be a domain with at least three segments separated by dots")];
  return [];
}

/** A domain of at least two segments; one trailing dot is allowed. */
export function validateFullyQualifiedDomainName(written: string, path: Path): FieldError[] {
  if (written === "") return [required(path)];
  const name = written.endsWith(".") ? written.slice(0, -1) : written;
  const wrong = checkDnsSubdomain(name);
  if (wrong.length > 0) return [invalid(path, name, wrong.join(","))];
  const labels = name.split(".");
  if (labels.length < 2)
    return [invalid(path, name, "should be a domain with at least two segments separated by dots")];
  const bad = labels.find((label) => checkDnsLabel(label).length > 0);
  return bad === undefined ? [] : [invalid(path, bad, checkDnsLabel(bad).join(","))];
}

const httpPath = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const httpPathPattern = new RegExp(`^${httpPath}$`);

/** `acme.io/foo`: a domain, then a path as HTTP allows it. */
export function validateDomainPrefixedPath(value: string, path: Path): FieldError[] {
  if (value === "") return [required(path)];
  const slash = value.indexOf("/");
  const [host, rest] = [value.slice(0, Math.max(0, slash)), value.slice(slash + 1)];
  if (host === "" || rest === "")
    return [invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  const errors = checkDnsSubdomain(host).map((problem) => invalid(path, host, problem));
  if (!httpPathPattern.test(rest)) errors.push(invalid(path, rest, regexMessage("Invalid path", httpPath)));
  return errors;
}

/** `acme.io/foo`: a label key that must have its prefix. */
export function validateDomainPrefixedKey(key: string, path: Path): FieldError[] {
  if (key === "") return [required(path)];
  const wrong = checkLabelKey(key);
  if (wrong.length > 0) return wrong.map((problem) => invalid(path, key, problem));
  return key.includes("/") ? [] : [invalid(path, key, 'must be a domain-prefixed key (such as "acme.io/foo")')];
}

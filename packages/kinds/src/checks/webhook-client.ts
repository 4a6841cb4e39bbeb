import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { checkDnsSubdomain, checkPortNumber, parseGoUrl } from "@coxswain/apimachinery/validation";

const form = "; desired format: https://host[/path]";

export function checkWebhookUrl(text: string, path: FieldPath): FieldError[] {
  const url = parseGoUrl(text);
  if (typeof url === "string") return [required(path, `url must be a valid URL: ${url}${form}`)];
  const errors: FieldError[] = [];
  if (url.scheme !== "https") errors.push(invalid(path, url.scheme, `'https' is the only allowed URL scheme${form}`));
  if (url.host === "") errors.push(invalid(path, url.host, `host must be specified${form}`));
  if (url.user !== undefined) errors.push(invalid(path, url.user, "user information is not permitted in the URL"));
  if (url.fragment !== "") errors.push(invalid(path, url.fragment, "fragments are not permitted in the URL"));
  if (url.query !== "") errors.push(invalid(path, url.query, "query parameters are not permitted in the URL"));
  return errors;
}

interface Service {
  readonly name: string;
  readonly namespace: string;
  readonly path?: string | undefined;
  readonly port: number;
}

export function checkWebhookService(
  { name, namespace, path: urlPath = "", port }: Service,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (name === "") errors.push(required(path.child("name")));
  if (namespace === "") errors.push(required(path.child("namespace")));
  const problems = checkPortNumber(port);
  if (problems.length > 0) errors.push(invalid(path.child("port"), port, `port is not valid: ${problems.join(", ")}`));
  return [...errors, ...checkUrlPath(urlPath, path.child("path"))];
}

function checkUrlPath(text: string, path: FieldPath): FieldError[] {
  if (text === "" || text === "/") return [];
  if (text === "//") return [invalid(path, text, "segment[0] may not be empty")];
  const errors = text.startsWith("/") ? [] : [invalid(path, text, "must start with a '/'")];
  // Go leaves out the first byte, which may be a part of a letter only.
  const rest = (text.codePointAt(0) ?? 0) < 0x80 ? text.slice(1) : `\ufffd${text.slice(1)}`;
  const steps = rest.replace(/\/$/, "").split("/");
  for (const [at, step] of steps.entries()) {
    if (step === "") errors.push(invalid(path, text, `segment[${at}] may not be empty`));
    else
      append(
        errors,
        checkDnsSubdomain(step).map((problem) => invalid(path, text, `segment[${at}]: ${problem}`)),
      );
  }
  return errors;
}

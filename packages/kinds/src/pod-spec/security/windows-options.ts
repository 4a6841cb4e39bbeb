import type { DeepReadonly } from "@coxswain/api";
import type { WindowsSecurityContextOptions } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, invalid } from "@coxswain/apimachinery/field";
import { utf8Length } from "@coxswain/apimachinery/validation";
import { checkDnsSubdomainAt } from "../../checks/field-errors.js";

const longestCredentialSpecKiB = 64;
const longestDomain = 256;
const longestUser = 104;

const netBiosDomain = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/u;
const dnsLabel = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const dnsDomain = new RegExp(`^${dnsLabel}(?:\\.${dnsLabel})*$`);

export function checkWindowsOptions(
  { gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName }: DeepReadonly<WindowsSecurityContextOptions>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (gmsaCredentialSpecName !== undefined)
    append(errors, checkDnsSubdomainAt(gmsaCredentialSpecName, path.child("gmsaCredentialSpecName")));
  if (gmsaCredentialSpec !== undefined)
    append(errors, checkCredentialSpec(gmsaCredentialSpec, path.child("gmsaCredentialSpec")));
  if (runAsUserName !== undefined) {
    append(
      errors,
      problemsOfUserName(runAsUserName).map((problem) => invalid(path.child("runAsUserName"), runAsUserName, problem)),
    );
  }
  return errors;
}

function checkCredentialSpec(spec: string, path: FieldPath): FieldError[] {
  if (spec === "") return [invalid(path, spec, "gmsaCredentialSpec cannot be an empty string")];
  if (utf8Length(spec) <= longestCredentialSpecKiB * 1024) return [];
  return [invalid(path, spec, `gmsaCredentialSpec size must be under ${longestCredentialSpecKiB} KiB`)];
}

/** `DOMAIN\user`, the domain being optional. */
function problemsOfUserName(name: string): string[] {
  if (name === "") return ["runAsUserName cannot be an empty string"];
  if (/[\x00-\x1f\x7f]/.test(name)) return ["runAsUserName cannot contain control characters"];
  const parts = name.split("\\");
  if (parts.length > 2) return ["runAsUserName cannot contain more than one backslash"];
  const domain = parts.length === 2 ? (parts[0] ?? "") : undefined;
  const user = parts[parts.length - 1] ?? "";
  const problems: string[] = [];
  if (domain !== undefined) {
    if (utf8Length(domain) >= longestDomain)
      problems.push(`runAsUserName's Domain length must be under ${longestDomain} characters`);
    if (!netBiosDomain.test(domain) && !dnsDomain.test(domain))
      problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  }
  if (user === "") problems.push("runAsUserName's User cannot be empty");
  else if (utf8Length(user) > longestUser)
    problems.push(`runAsUserName's User length must not be longer than ${longestUser} characters`);
  if (/^[. ]+$/.test(user)) problems.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user))
    problems.push("runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]");
  return problems;
}

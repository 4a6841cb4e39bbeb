import type { DeepReadonly } from "@coxswain/api";
import type { PodDNSConfig, PodSpec } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, invalid, required } from "@coxswain/apimachinery/field";
import {
  checkDnsSubdomainWithUnderscore,
  utf8Length,
  validateIpForLegacyField,
} from "@coxswain/apimachinery/validation";
import { problemsAt } from "../../checks/field-errors.js";
import type { PodRules } from "../pod-rules.js";

// What the resolver of Linux' C library takes.
const mostNameservers = 3;
const mostSearches = 32;
const mostSearchBytes = 2048;

export function checkDnsConfig(
  { dnsConfig, dnsPolicy }: DeepReadonly<PodSpec>,
  path: FieldPath,
  rules: Pick<PodRules, "strictAddresses">,
): FieldError[] {
  if (dnsPolicy === "None") {
    if (!dnsConfig) return [required(path, "must provide `dnsConfig` when `dnsPolicy` is None")];
    if (!dnsConfig.nameservers?.length)
      return [required(path.child("nameservers"), "must provide at least one DNS nameserver when `dnsPolicy` is None")];
  }
  return dnsConfig
    ? [
        ...checkNameservers(dnsConfig, path.child("nameservers"), rules),
        ...checkSearches(dnsConfig, path.child("searches")),
        ...checkOptions(dnsConfig, path.child("options")),
      ]
    : [];
}

function checkNameservers(
  { nameservers = [] }: DeepReadonly<PodDNSConfig>,
  path: FieldPath,
  { strictAddresses: strict }: Pick<PodRules, "strictAddresses">,
): FieldError[] {
  const errors =
    nameservers.length > mostNameservers
      ? [invalid(path, nameservers, `must not have more than ${mostNameservers} nameservers`)]
      : [];
  for (const [i, server] of nameservers.entries())
    append(errors, validateIpForLegacyField(server, path.index(i), { strict }));
  return errors;
}

/** A trailing dot is no part of what is validated, and a single dot means no search at all. */
function checkSearches({ searches = [] }: DeepReadonly<PodDNSConfig>, path: FieldPath): FieldError[] {
  const errors =
    searches.length > mostSearches
      ? [invalid(path, searches, `must not have more than ${mostSearches} search paths`)]
      : [];
  if (utf8Length(searches.join(" ")) > mostSearchBytes)
    errors.push(
      invalid(
        path,
        searches,
        `must not have more than ${mostSearchBytes} characters (including spaces) in the search list`,
      ),
    );
  for (const [i, search] of searches.entries()) {
    const domain = search.endsWith(".") ? search.slice(0, -1) : search;
    if (search !== ".") append(errors, problemsAt(path.index(i), domain, checkDnsSubdomainWithUnderscore(domain)));
  }
  return errors;
}

const checkOptions = ({ options = [] }: DeepReadonly<PodDNSConfig>, path: FieldPath): FieldError[] =>
  options.flatMap(({ name = "" }, i) => (name === "" ? [required(path.index(i), "must not be empty")] : []));

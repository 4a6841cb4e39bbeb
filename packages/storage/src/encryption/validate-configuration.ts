import { type FieldError, type FieldPath, fieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { type GroupResource, parseGroupResource } from "@coxswain/apimachinery/meta";
import { parseDurationMs } from "@coxswain/apimachinery/time";
import {
  type EncryptionConfiguration,
  type KeysConfiguration,
  type KmsConfiguration,
  type ProviderConfiguration,
} from "./configuration.js";

const aesKeySizes = [16, 24, 32];
const secretboxKeySizes = [32];
const providerNames = ["kms", "aesgcm", "aescbc", "secretbox", "identity"] as const;

/** What is wrong with a configuration, in the words that users of kube-apiserver know. Secrets never show. */
export function validateEncryptionConfiguration(config: EncryptionConfiguration): FieldError[] {
  const root = fieldPath("resources");
  if (!config.resources || config.resources.length === 0) return [required(root, "at least one resources is required")];
  const kmsNames = new Set<string>();
  return config.resources.flatMap(({ resources = [], providers = [] }, index) => {
    const path = root.index(index).child("resources");
    const providersPath = root.index(index).child("providers");
    return [
      ...(resources.length === 0 ? [required(path, `at least one ${path.toString()} is required`)] : []),
      ...validateOverlap(resources, path),
      ...resources.flatMap((resource, position) => validateResource(resource, path.index(position))),
      ...(providers.length === 0
        ? [required(providersPath, `at least one ${providersPath.toString()} is required`)]
        : []),
      ...providers.flatMap((provider, position) => validateProvider(provider, providersPath.index(position), kmsNames)),
    ];
  });
}

function validateOverlap(resources: readonly string[], path: FieldPath): FieldError[] {
  const all = resources.map(parseGroupResource);
  const same = (a: GroupResource, b: GroupResource): boolean => a.group === b.group && a.resource === b.resource;
  const pairs = all.flatMap((a, i) => all.flatMap((b, j) => (i === j ? [] : [{ a, b }])));
  const duplicates = pairs.some(({ a, b }) => same(a, b));
  const overlaps = pairs.some(
    ({ a, b }) =>
      !same(a, b) &&
      ((a.group === "*" && a.resource === "*") || (a.group === b.group && (a.resource === "*" || b.resource === "*"))),
  );
  return [
    ...(duplicates ? [invalid(path, resources, "the same resource cannot be specified multiple times")] : []),
    ...(overlaps
      ? [
          invalid(
            path,
            resources,
            "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked",
          ),
        ]
      : []),
  ];
}

function validateResource(text: string, path: FieldPath): FieldError[] {
  const { group, resource } = parseGroupResource(text);
  const wrong =
    text !== text.toLowerCase()
      ? "resource name should not contain capital letters"
      : text === "*"
        ? "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources"
        : ["apiserveripinfo", "serviceipallocations", "servicenodeportallocations"].includes(text)
          ? "resources which do not have REST API/s cannot be encrypted"
          : group === "events.k8s.io"
            ? "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file"
            : group === "extensions"
              ? "'extensions' group has been removed and cannot be used for encryption"
              : group === "*" && resource !== "*"
                ? "encrypting the same resource across groups is not supported"
                : undefined;
  return wrong === undefined ? [] : [invalid(path, text, wrong)];
}

function validateProvider(provider: ProviderConfiguration, path: FieldPath, kmsNames: Set<string>): FieldError[] {
  const found = providerNames.filter((name) => provider[name] !== undefined && provider[name] !== null);
  const shown = Object.fromEntries(found.map((name) => [name, "…"]));
  if (found.length === 0)
    return [
      invalid(
        path,
        shown,
        "provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity",
      ),
    ];
  if (found.length > 1)
    return [
      invalid(
        path,
        shown,
        "more than one provider specified in a single element, should split into different list elements",
      ),
    ];
  if (provider.kms) return validateKms(provider.kms, path.child("kms"), kmsNames);
  if (provider.aesgcm) return validateKeys(provider.aesgcm, path.child("aesgcm").child("keys"), aesKeySizes);
  if (provider.aescbc) return validateKeys(provider.aescbc, path.child("aescbc").child("keys"), aesKeySizes);
  if (provider.secretbox)
    return validateKeys(provider.secretbox, path.child("secretbox").child("keys"), secretboxKeySizes);
  return [];
}

function validateKeys({ keys = [] }: KeysConfiguration, path: FieldPath, sizes: readonly number[]): FieldError[] {
  if (keys.length === 0) return [required(path, "at least one keys is required")];
  return keys.flatMap(({ name = "", secret = "" }, index) => {
    const at = path.index(index);
    const nameless = name === "" ? [required(at.child("name"), "name is a mandatory field for a key")] : [];
    if (secret === "") return [...nameless, required(at.child("secret"), "secret is a mandatory field for a key")];
    if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(secret))
      return [...nameless, invalid(at.child("secret"), "REDACTED", "secrets must be base64 encoded")];
    const length = Buffer.from(secret, "base64").length;
    return sizes.includes(length)
      ? nameless
      : [
          ...nameless,
          invalid(
            at.child("secret"),
            "REDACTED",
            `secret is not of the expected length, got ${length}, expected one of [${sizes.join(" ")}]`,
          ),
        ];
  });
}

function validateKms(
  { apiVersion = "v1", name = "", endpoint = "", timeout = "3s", cachesize }: KmsConfiguration,
  path: FieldPath,
  names: Set<string>,
): FieldError[] {
  const errors: FieldError[] = [];
  if (name === "") errors.push(required(path.child("name"), "name is a mandatory field for a provider"));
  if (apiVersion !== "v1" && name.includes(":"))
    errors.push(invalid(path.child("name"), name, `invalid KMS provider name ${name}, must not contain ':'`));
  if (names.has(name))
    errors.push(invalid(path.child("name"), name, `duplicate KMS provider name ${name}, names must be unique`));
  names.add(name);
  if ((parseDurationMs(timeout) ?? 0) <= 0)
    errors.push(invalid(path.child("timeout"), timeout, "timeout should be a positive value"));
  if (endpoint === "") errors.push(invalid(path.child("endpoint"), "", "endpoint is a mandatory field for a kms"));
  else if (!endpoint.startsWith("unix:"))
    errors.push(
      invalid(
        path.child("endpoint"),
        endpoint,
        `unsupported scheme "${/^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(endpoint)?.[1] ?? ""}" for KMS provider, only unix is supported`,
      ),
    );
  if (apiVersion !== "v1" && cachesize !== undefined)
    errors.push(invalid(path.child("cachesize"), cachesize, "cachesize is not supported in v2"));
  if (apiVersion !== "v1" && apiVersion !== "v2")
    errors.push(
      invalid(
        path.child("apiVersion"),
        apiVersion,
        "unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported",
      ),
    );
  return errors;
}

export {
  checkDns1035Label,
  checkDnsLabel,
  checkDnsLabelBytes,
  checkDnsSubdomain,
  checkDnsSubdomainBytes,
  checkDnsSubdomainCaseless,
  checkDnsSubdomainWithUnderscore,
  checkWildcardDnsSubdomain,
  dnsLabelMaxLength,
  dnsSubdomainMaxLength,
} from "./dns.js";
export { checkLabelKey, checkLabelValue } from "./labels.js";
export {
  checkCIdentifier,
  checkConfigMapKey,
  checkEnvVarName,
  checkHttpHeaderName,
  checkNamespaceName,
  checkPathSegmentName,
  checkPathSegmentPrefix,
  checkRelaxedEnvVarName,
  checkServiceAccountName,
  type NameCheck,
  nameIsDns1035Label,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
} from "./names.js";
export {
  checkDecimalInteger,
  checkGroupId,
  checkInRange,
  checkPercent,
  checkPortName,
  checkPortNumber,
  checkUserId,
} from "./numbers.js";
export {
  validateDomainPrefixedKey,
  validateDomainPrefixedPath,
  validateFullyQualifiedDomainName,
  validateFullyQualifiedName,
} from "./domain.js";
export {
  cidrWarnings,
  ipWarnings,
  type LegacyAddressOptions,
  validateCidr,
  validateCidrForLegacyField,
  validateInterfaceAddress,
  validateIp,
  validateIpForLegacyField,
} from "./ip.js";
export {
  immutableMessage,
  type ObjectMetaRules,
  type ReadableMeta,
  validateAnnotations,
  validateFinalizers,
  validateLabelName,
  validateLabels,
  validateNonnegative,
  validateNoNewFinalizers,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validateOwnerReferences,
} from "./object-meta.js";
export { fieldManagerMaxBytes, validateFieldManager, validateManagedFields } from "./managed-fields.js";
export {
  type DeleteOptions,
  type ListOptions,
  type PatchOptions,
  validateDeleteOptions,
  validateDryRun,
  validateFieldValidation,
  validateListOptions,
  validatePatchOptions,
  validateWriteOptions,
  type WriteOptions,
} from "./request-options.js";
export { type Condition, validateCondition, validateConditions } from "./conditions.js";
export {
  type LabelSelectorRules,
  validateFieldSelectorRequirement,
  validateLabelSelector,
  validateLabelSelectorRequirement,
} from "./selectors.js";

export {
  formatCidr,
  formatIp,
  formatIpAsWritten,
  type IpAddress,
  type IpNetwork,
  maskedAddress,
  parseCidr,
  parseIp,
  sameAddress,
} from "./ip-address.js";
export { annotationsMaxBytes } from "./object-meta.js";
export {
  emptyMessage,
  maxBytesMessage,
  maxLengthMessage,
  type Problems,
  rangeMessage,
  regexMessage,
} from "./messages.js";
export { compareUtf8, truncateUtf8, utf8Length } from "../text/utf8-order.js";
export { type GoAddress, parseGoAddress, parseGoPrefix } from "./go-address.js";
export { type GoUrl, isRequestUri, parseGoUrl, queryParameters, requestUriError, splitHost } from "./go-url.js";

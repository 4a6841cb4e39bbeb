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
export { checkDecimalInteger, checkGroupId, checkInRange, checkPercent, checkPortName, checkPortNumber, checkUserId } from "./numbers.js";

export { emptyMessage, maxBytesMessage, maxLengthMessage, type Problems, rangeMessage, regexMessage } from "./messages.js";
export { notEqualMessage } from "./names.js";
export { compareUtf8, truncateUtf8, utf8Length } from "./utf8.js";

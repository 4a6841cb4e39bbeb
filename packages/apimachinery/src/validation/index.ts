export {
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkDnsSubdomainBytes,
  checkDnsSubdomainCaseless,
  checkDnsSubdomainWithUnderscore,
  checkWildcardDnsSubdomain,
  dnsLabelMaxLength,
  dnsSubdomainMaxLength,
} from "./dns.js";
export { checkLabelKey, checkLabelValue } from "./labels.js";

export { emptyMessage, maxBytesMessage, maxLengthMessage, type Problems, rangeMessage, regexMessage } from "./messages.js";
export { compareUtf8, truncateUtf8, utf8Length } from "./utf8.js";

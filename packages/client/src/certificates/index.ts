export {
  type CertificateRequestOptions,
  type CertificateRequests,
  type CertificateWaitOptions,
  requestCertificate,
  waitForCertificate,
} from "./certificate-request.js";

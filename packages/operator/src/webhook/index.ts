export {
  type Admission,
  admissionHandler,
  type Defaulter,
  defaultingHandler,
  validatingHandler,
  type Validator,
} from "./admission.js";
export { type Conversion, conversionHandler, type Spoke, spoke, type WithoutMetadata } from "./conversion.js";
export { countWebhooks } from "./count-webhooks.js";
export { jsonPatchDifference } from "./json-patch-difference.js";
export { conversionPath, webhookPath } from "./webhook-path.js";

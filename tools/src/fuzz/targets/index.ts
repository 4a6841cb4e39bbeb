import type { FuzzTargetFactory } from "../fuzz-target.js";
import { pemTarget, x509Target } from "./certificates.js";
import { dnsTarget } from "./dns.js";
import { http1Target } from "./http1.js";
import { hpackTarget, http2Target } from "./http2.js";
import { jsonTarget } from "./json.js";
import { patchTarget } from "./patches.js";
import { protobufTarget, watchFrameTarget } from "./protobuf.js";
import { fieldSelectorTarget, labelSelectorTarget } from "./selectors.js";
import { jsonPathTarget, mediaTypeTarget, quantityTarget, regexpTarget, timeTarget } from "./small-languages.js";
import { jwtTarget, keySetTarget } from "./tokens.js";
import { spdyTarget, webSocketTarget } from "./upgraded.js";
import { yamlTarget } from "./yaml.js";

/** Everything that reads bytes from outside. */
export const targets: Readonly<Record<string, FuzzTargetFactory>> = {
  json: jsonTarget,
  yaml: yamlTarget,
  protobuf: protobufTarget,
  "watch-frames": watchFrameTarget,
  patches: patchTarget,
  "label-selectors": labelSelectorTarget,
  "field-selectors": fieldSelectorTarget,
  "media-types": mediaTypeTarget,
  quantities: quantityTarget,
  times: timeTarget,
  regexps: regexpTarget,
  jsonpaths: jsonPathTarget,
  x509: x509Target,
  pem: pemTarget,
  jwt: jwtTarget,
  "key-sets": keySetTarget,
  dns: dnsTarget,
  hpack: hpackTarget,
  "http2-frames": http2Target,
  "websocket-frames": webSocketTarget,
  "spdy-frames": spdyTarget,
  "http1-bytes": http1Target,
};

import type { Header } from "./header.js";

/** RFC 7541, appendix A, from index 1 on; where there is a value it stands behind the equals sign. */
const fields =
  ":authority|:method=GET|:method=POST|:path=/|:path=/index.html|:scheme=http|:scheme=https|:status=200|:status=204|:status=206|:status=304|:status=400|:status=404|:status=500|accept-charset|accept-encoding=gzip, deflate|accept-language|accept-ranges|accept|access-control-allow-origin|age|allow|authorization|cache-control|content-disposition|content-encoding|content-language|content-length|content-location|content-range|content-type|cookie|date|etag|expect|expires|from|host|if-match|if-modified-since|if-none-match|if-range|if-unmodified-since|last-modified|link|location|max-forwards|proxy-authenticate|proxy-authorization|range|referer|refresh|retry-after|server|set-cookie|strict-transport-security|transfer-encoding|user-agent|vary|via|www-authenticate";

export const staticTable: readonly Header[] = fields.split("|").map((field) => {
  const equals = field.indexOf("=");
  return equals < 0 ? [field, ""] : [field.slice(0, equals), field.slice(equals + 1)];
});

/**
 * RFC 7541, appendix B: the length in bits of each byte's code and, last, of the end mark, as digits in base 36. The
 * code is canonical, so the lengths determine it.
 */
export const huffmanLengths =
  "dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6cad67777777777777777777777878djde6f56565666577666567655677777fbedskmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmnqqkjmnmpqqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrqu";

/** Answers longer than this are compressed for clients that ask for it. */
export const gzipThreshold = 128 * 1024;

/** Upstream knows the word alone: `gzip;q=0.5` is not asked for gzip. */
export const acceptsGzip = (acceptEncoding: string | undefined): boolean =>
  acceptEncoding !== undefined && acceptEncoding.split(",").some((token) => token.trim() === "gzip");

export const gzipHeaders = { "content-encoding": "gzip", vary: "Accept-Encoding" } as const;

/** How these pages begin, in upstream's words. */
export const zpageHead = (page: string): string =>
  `\napiserver ${page}\nWarning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.`;

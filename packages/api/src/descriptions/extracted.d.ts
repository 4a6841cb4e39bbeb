/** Written by extract-descriptions.mjs when the package is built; absent before. */
declare module "*/dist/descriptions/extracted.js" {
  /** JSON: type name to [description, { member: description }]. */
  export const text: string;
}

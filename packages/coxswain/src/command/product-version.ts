/** The version of the published packages; a test compares it with package.json. */
export const productVersion = "0.1.0";

export { type ComponentPagesOptions, createComponentPages } from "./component-pages.js";
export type { Page, PageGuard, PageRequest, PageSource } from "./page.js";
export { type ServedPages, servePages, type ServePagesOptions } from "./serve-pages.js";

export { createDescriptions, type Descriptions, loadDescriptions } from "./load-descriptions.js";

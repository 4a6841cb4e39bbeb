import { fileNameOf, type ScaffoldedKind } from "../../project/kind-names.js";

export const controllerModule = ({ kind }: ScaffoldedKind): string => `controllers/${fileNameOf(kind)}-controller`;
export const defaultingModule = ({ version, kind }: ScaffoldedKind): string =>
  `webhooks/${version}/${fileNameOf(kind)}-defaulting`;
export const validationModule = ({ version, kind }: ScaffoldedKind): string =>
  `webhooks/${version}/${fileNameOf(kind)}-validation`;
/** Of all versions together. */
export const conversionModule = ({ kind }: ScaffoldedKind): string => `webhooks/${fileNameOf(kind)}-conversion`;

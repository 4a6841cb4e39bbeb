import type { PluginChoice } from "@coxswain/apiserver";
import { defineFlags, type OptionsOf } from "@coxswain/component/flags";
import { readAdmissionConfigFile } from "./admission-config.js";

/** Which admission plugins run, and how they are configured. */
export const admissionFlags = defineFlags({
  "enable-admission-plugins": {
    group: "Access",
    type: "strings",
    default: [],
    value: "name,…",
    help: "Admission plugins to run beside those that run by default. Their order is fixed.",
  },
  "disable-admission-plugins": {
    group: "Access",
    type: "strings",
    default: [],
    value: "name,…",
    help: "Admission plugins not to run although they do by default.",
  },
  "admission-control-config-file": {
    group: "Access",
    type: "string",
    value: "file",
    help: "An AdmissionConfiguration: what the admission plugins that can be configured shall do.",
  },
});

/** Reads the configuration file. @throws when it cannot be used */
export const admissionFrom = (options: OptionsOf<typeof admissionFlags>): PluginChoice => ({
  enabled: options.enableAdmissionPlugins,
  disabled: options.disableAdmissionPlugins,
  ...(options.admissionControlConfigFile !== undefined && {
    configuration: readAdmissionConfigFile(options.admissionControlConfigFile),
  }),
});

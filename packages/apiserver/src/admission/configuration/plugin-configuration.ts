/** The part of the file of `--admission-control-config-file` for one plugin. */
export interface PluginConfiguration {
  /** For messages. */
  readonly plugin: string;
  /** The parsed document; undefined when it is empty. */
  readonly document: unknown;
  /** Reads a file that the configuration names, relative to the file that it stands in. */
  readFile(path: string): string;
}
